/** How much of the project the scouts have looked at, counted by folder. */

export interface Sector {
  /** A folder of the project; "." for files at its root. */
  readonly path: string;
  readonly files: number;
  readonly scanned: boolean;
}

export interface Coverage {
  readonly sectors_scanned: number;
  readonly sectors_total: number;
  readonly files_scanned: number;
  readonly files_total: number;
  /** 0..100, of the files. */
  readonly percent: number;
}

/** Groups files by their first two folders, the largest sectors first. */
export const sectorsOf = (files: readonly string[], most: number): readonly Sector[] => {
  const counts = new Map<string, number>();
  for (const file of files) {
    const sector = file.split("/").slice(0, -1).slice(0, 2).join("/") || ".";
    counts.set(sector, (counts.get(sector) ?? 0) + 1);
  }
  return [...counts]
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, most)
    .map(([path, count]) => ({ path, files: count, scanned: false }));
};

/** Marks the sectors that lie in, or hold, one of the explored folders. */
export const markExplored = (sectors: readonly Sector[], explored: readonly string[]): readonly Sector[] =>
  sectors.map((sector) =>
    sector.scanned || !explored.some((folder) => touches(sector.path, folder)) ? sector : { ...sector, scanned: true },
  );

const touches = (sector: string, explored: string): boolean => {
  const folder = explored.replace(/^\.\//, "").replace(/(?<!\/)\/+$/, "");
  return sector === folder || sector.startsWith(`${folder}/`) || folder.startsWith(`${sector}/`);
};

export const coverageOf = (sectors: readonly Sector[]): Coverage => {
  const scanned = sectors.filter((sector) => sector.scanned);
  const sum = (some: readonly Sector[]): number => some.reduce((total, { files }) => total + files, 0);
  const [filesScanned, filesTotal] = [sum(scanned), sum(sectors)];
  return {
    sectors_scanned: scanned.length,
    sectors_total: sectors.length,
    files_scanned: filesScanned,
    files_total: filesTotal,
    percent: filesTotal === 0 ? 0 : Math.floor((100 * filesScanned) / filesTotal),
  };
};
