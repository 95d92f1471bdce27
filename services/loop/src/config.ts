/** The loop's section of the configuration: the projects it may work on. A caller gives a name; only the configuration has paths. */
import * as z from "zod";

const projectName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    "a name of 1 to 64 letters, digits, `.`, `_` and `-`, a letter or digit first",
  );

export const loopConfig = z.strictObject({
  /** Name to folder; without any, the folder that the server was started in, by its own name. */
  projects: z.record(projectName, z.string().min(1)).default({}),
  /** The project of calls that name none; the first configured one when left out. */
  defaultProject: projectName.optional(),
  /** Names of variables that verification commands may see beside PATH, HOME, LANG, LC_ALL and TMPDIR. */
  qaEnvironment: z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "the name of a variable, like CI")).default([]),
  /** Milliseconds one verification command may take. */
  qaTimeLimitMs: z.int().min(1_000).max(3_600_000).default(120_000),
  /** What verification commands and hooks reach: everything, their own loopback alone, or nothing. The latter two need namespaces (Linux). */
  qaNetwork: z.enum(["host", "loopback", "none"]).default("host"),
  /**
   * Folder with the hooks that a ticket's commit has to pass (`pre-commit`, `commit-msg`), like `.husky/_` or `.git/hooks`; relative to
   * the top of the repository. Without it no hook runs: a repository's own settings never choose one.
   */
  commitHooks: z.string().min(1).optional(),
  /** Signs the commits of done tickets and merges. Without it none is signed, whatever the repository's settings say. */
  signing: z
    .strictObject({
      format: z.enum(["openpgp", "x509", "ssh"]),
      /** The key as git's `user.signingKey` has it: an id, or the path of an SSH key. */
      key: z.string().min(1),
      /** The program that signs; that of the format when left out. */
      program: z.string().min(1).optional(),
    })
    .optional(),
  /** What is asked about a reported pull request: this repository alone, its remote (`git ls-remote`), or GitHub as well (`gh`). */
  pullRequestCheck: z.enum(["local", "git", "gh"]).default("local"),
});
