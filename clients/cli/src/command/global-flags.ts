/** The flags that every command takes. Data; read by help and by the argument parser. */

interface GlobalFlag {
  readonly flags: string;
  readonly description: string;
  /** What a command must do for it to matter; left out where it always does. */
  readonly about?: "kernel" | "address" | "time";
}

export const globalFlags: readonly GlobalFlag[] = [
  { flags: "--json", description: "Print one JSON document to stdout" },
  { flags: "--config <file>", description: "Configuration file, instead of looking upwards for fairlead.config.ts" },
  {
    flags: "--url <address>",
    description: "Use the kernel that runs there, like http://127.0.0.1:5099",
    about: "address",
  },
  {
    flags: "--local",
    description: "Start services of its own, on a state folder that is thrown away at the end",
    about: "kernel",
  },
  {
    flags: "--token-file <file>",
    description: "File with the token for --url; FAIRLEAD_TOKEN otherwise",
    about: "address",
  },
  { flags: "--timeout <ms>", description: "Give up after this many milliseconds", about: "time" },
  { flags: "--color <when>", description: "auto, always or never; NO_COLOR and FORCE_COLOR are honoured" },
  { flags: "--cwd <folder>", description: "Run as if started there" },
  { flags: "--no-input", description: "Never ask anything" },
  { flags: "-q, --quiet", description: "Say nothing but errors on stderr" },
  { flags: "-v, --verbose", description: "Say more on stderr" },
];
