/** Removes a folder with all that is in it, also with what a program left read-only there, like a cache of modules. No link is followed. */
import { chmod, lstat, opendir, rm } from "node:fs/promises";
import { join } from "node:path";

export const removeTree = async (folder: string): Promise<void> => {
  const remove = () => rm(folder, { recursive: true, force: true });
  await remove().catch(async () => {
    await openAll(folder);
    await remove();
  });
};

/** Gives this user all rights on the folder and those below it. */
const openAll = async (folder: string): Promise<void> => {
  const open = [folder];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (!(await lstat(at)).isDirectory()) continue;
    await chmod(at, 0o700);
    for await (const entry of await opendir(at)) if (entry.isDirectory()) open.push(join(at, entry.name));
  }
};
