/** Where generated files go, once the project is known. */

/** Absolute folders of the generated files. */
export interface OutFolders {
  readonly schemas: string;
  readonly kernel: string;
  readonly client: string;
}
