import { join } from "node:path";
import { openOutbox, openSchedules } from "@fairlead/kernel/jobs";
import { defineService } from "@fairlead/kernel/service";
import Database from "better-sqlite3";
import { todo } from "./todo.contract.ts";

export default defineService(todo, (host) => {
  const database = new Database(join(host.stateDir(), "todo.sqlite"));
  database.exec("CREATE TABLE IF NOT EXISTS todos (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT");
  const jobs = openOutbox(todo, { host, database });
  const schedules = openSchedules(todo, host, {
    "clear-yearly": { cron: "0 3 1 1 *", timeZone: "Europe/Berlin", procedure: "clear", input: {}, catchUp: false },
  });
  const add = database.transaction((text: string): number => {
    const id = Number(database.prepare("INSERT INTO todos (text) VALUES (?)").run(text).lastInsertRowid);
    jobs.enqueue("remind", { id }, { key: `remind ${id}` });
    return id;
  });
  return {
    handlers: {
      add: ({ text }) => ({ id: add(text) }),
      remind: ({ id }, call) => {
        const text = String(database.prepare("SELECT text FROM todos WHERE id = ?").pluck().get(id));
        call.log(`attempt ${call.run?.attempt ?? 1}`);
        return { text: `remember: ${text}` };
      },
      clear: async (_, call) => {
        const count = Number(database.prepare("SELECT count(*) FROM todos").pluck().get());
        call.progress({ progress: 0, total: count, message: "asking" });
        if (count > 0 && !(await call.question("sure", `Delete ${count} todos?`))) return { deleted: 0 };
        database.exec("DELETE FROM todos");
        return { deleted: count };
      },
    },
    stop: async () => {
      await schedules.close();
      await jobs.close();
      database.close();
    },
  };
});
