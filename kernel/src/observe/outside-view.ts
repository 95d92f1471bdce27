/** What a look at something outside of the kernel has found, for `fairlead doctor`. */
export interface OutsideView {
  /** What it is, in words. */
  readonly detail: string;
  readonly problems: readonly {
    /** Whether the kernel cannot do its work with it. */
    readonly isFatal: boolean;
    readonly detail: string;
    readonly fix: string;
  }[];
}
