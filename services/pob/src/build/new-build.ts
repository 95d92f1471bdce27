/** The XML of an empty build, as Path of Building saves one. Not here: which classes there are, which the tree says. */
import { didYouMean } from "@fairlead/contracts/did-you-mean";

interface ChosenBuild {
  readonly className: string;
  readonly ascendancy?: string | undefined;
  readonly level: number;
}

interface TreeClasses {
  readonly treeVersion: string;
  readonly classes: readonly {
    readonly id: number;
    readonly name: string;
    readonly ascendancies: readonly { readonly id: number; readonly name: string }[];
  }[];
}

type NewBuild = { readonly ok: true; readonly xml: string } | { readonly ok: false; readonly why: string };

/** The build of that class and ascendancy, or what was meant by their names. */
export const chooseClass = (
  { className, ascendancy, level }: ChosenBuild,
  { treeVersion, classes }: TreeClasses,
): NewBuild => {
  const chosen = findNamed(classes, className);
  if (chosen === undefined) return { ok: false, why: explain(`there is no class ${className}`, className, classes) };
  const ascended = ascendancy === undefined ? undefined : findNamed(chosen.ascendancies, ascendancy);
  if (ascendancy !== undefined && ascended === undefined)
    return {
      ok: false,
      why: explain(`${chosen.name} has no ascendancy ${ascendancy}`, ascendancy, chosen.ascendancies),
    };
  const head = `level="${level}" targetVersion="3_0" className="${escapeXml(chosen.name)}" ascendClassName="${escapeXml(ascended?.name ?? "None")}"`;
  const spec = `treeVersion="${escapeXml(treeVersion)}" classId="${chosen.id}" ascendClassId="${ascended?.id ?? 0}" nodes=""`;
  return {
    ok: true,
    xml: `<?xml version="1.0" encoding="UTF-8"?>
<PathOfBuilding>
<Build ${head} mainSocketGroup="1" viewMode="NOTES"/>
<Tree activeSpec="1"><Spec ${spec}/></Tree>
<Skills activeSkillSet="1"><SkillSet id="1"></SkillSet></Skills>
<Items activeItemSet="1"><ItemSet id="1"></ItemSet></Items>
<Config></Config>
</PathOfBuilding>`,
  };
};

const findNamed = <A extends { readonly name: string }>(all: readonly A[], name: string): A | undefined =>
  all.find((one) => one.name.toLowerCase() === name.toLowerCase());

const explain = (message: string, typed: string, known: readonly { readonly name: string }[]): string => {
  const names = known.map(({ name }) => name);
  const near = didYouMean(typed, names);
  return near === undefined ? `${message}; there are ${names.join(", ")}` : `${message}; did you mean ${near}?`;
};

const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
