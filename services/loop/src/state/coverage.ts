/** How much of the project the scouts have explored, counted by folder. */

export interface Sector {
  /** A folder of the project; "." for files at its root. */
  readonly path: string;
  readonly files: number;
  readonly scanned: boolean;
  /** How many other sectors import it; left out where it is none, or not known. */
  readonly importers?: number;
}

export interface Coverage {
  readonly sectors_scanned: number;
  readonly sectors_total: number;
  readonly files_scanned: number;
  readonly files_total: number;
  /** 0..100, of the files. */
  readonly percent: number;
}

/** The sector of a file: its first two folders. */
export const sectorPath = (file: string): string => file.split("/").slice(0, -1).slice(0, 2).join("/") || ".";

/** Groups files by sector, the largest first. */
export const groupBySector = (
  files: readonly string[],
  max: number,
  importers: ReadonlyMap<string, number> = new Map(),
): readonly Sector[] => {
  const counts = new Map<string, number>();
  for (const file of files) {
    const sector = sectorPath(file);
    counts.set(sector, (counts.get(sector) ?? 0) + 1);
  }
  return [...counts]
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, max)
    .map(([path, files_]) => ({ path, files: files_, scanned: false, ...importersField(importers, path) }));
};

const importersField = (importers: ReadonlyMap<string, number>, path: string): Pick<Sector, "importers"> => {
  const count = importers.get(path);
  return count === undefined ? {} : { importers: count };
};

/** The factor for work on these files in the ranking: higher where many folders import them. */
export const graphBoost = (sectors: readonly Sector[], files: readonly string[]): number => {
  const touched = new Set(files.map(sectorPath));
  const importers = Math.max(
    0,
    ...sectors.filter(({ path }) => touched.has(path)).map((sector) => sector.importers ?? 0),
  );
  return (100 + (importers >= hub.importers ? hub.percent : 0) + Math.min(hub.percent, 2 * importers)) / 100;
};

/** From so many importers on a sector is a hub. */
const hub = { importers: 3, percent: 20 } as const;

/** Marks the sectors that lie in, or hold, one of the explored folders. */
export const markExplored = (sectors: readonly Sector[], explored: readonly string[]): readonly Sector[] =>
  sectors.map((sector) =>
    sector.scanned || !explored.some((folder) => overlaps(sector.path, folder)) ? sector : { ...sector, scanned: true },
  );

const overlaps = (sector: string, explored: string): boolean => {
  const folder = explored.replace(/^\.\//, "").replace(/(?<!\/)\/+$/, "");
  return sector === folder || sector.startsWith(`${folder}/`) || folder.startsWith(`${sector}/`);
};

export const computeCoverage = (sectors: readonly Sector[]): Coverage => {
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
