/**
 * Live objects: an object's members with their values, a collection's elements, each with the expression that leads to it.
 * Declared objects are shown by their declaration, others by what they own; no code of the host runs but what it marked.
 */
import {
  allMembers,
  type ClassDefinition,
  dynamic,
  type Entries,
  LinqError,
  type Listing,
  type MemberDefinition,
  type Resumable,
  type Type,
  typeName,
} from "@fairlead/linq";
import {
  Decimal,
  EnumValue,
  findListing,
  Group,
  isLanguageValue,
  isRow,
  linkedCheck,
  normalizeValue,
  type Row,
  Sequence,
  SimpleValue,
} from "@fairlead/linq/values";
import { Encoder, type Json } from "../encode/encode.ts";
import { asObject, entryExpression, memberExpression } from "../encode/expression.ts";
import type { MemberDeclaration } from "../host/declaration.ts";
import { maskText, RedactedValue } from "../host/redaction.ts";
import type { HiddenMember } from "./hidden-view.ts";
import type { LiveOptions } from "./live-options.ts";
import { maskMethod } from "./mask.ts";
import {
  declaredKeys,
  declaredMembers,
  declaredMethods,
  keyType,
  listMembers,
  type MemberList,
  showAtOnce,
  withUndeclared,
} from "./member-list.ts";
import type { ItemInfo, LiveInfo, MemberInfo, MethodInfo } from "./shape.ts";
import { attributeInfo } from "./types.ts";

/** Members and elements listed in one answer, beyond which nothing more is opened. */
const budget = 1_000;
/** Reading a member for longer than this is mentioned. */
const slowMs = 5;
/** Elements passed over between two pauses. */
const skipped = 1_024;
/** One getter of the host may take this share of the time that is left: however many are slow, the rest is still shown. */
const share = 1 / 8;

/** A value that has members or elements; dates, decimals and their like are whole. */
const canBeOpened = (value: unknown): value is object =>
  typeof value === "object" && value !== null && (!isLanguageValue(value) || Sequence.is(value) || isRow(value));

type OpenedInfo = Pick<LiveInfo, "count" | "members" | "items" | "more">;

interface LivePlace {
  readonly expr: string;
  readonly depth: number;
}

export class LiveView {
  readonly #options: LiveOptions;
  readonly #encoder: Encoder;
  readonly #start: number;
  readonly #open: { readonly value: object; readonly path: string }[] = [];
  #left = budget;
  #hint: string | undefined;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#start = options.elapsed();
    this.#encoder = new Encoder({
      host: options.host,
      items: 20,
      bytes: options.bytes,
      text: 400,
      isStruct: (definition) => options.isStruct({ kind: "class", definition }),
    });
  }

  *describe(value: unknown, type: Type, at: LivePlace): Resumable<LiveInfo> {
    const { host } = this.#options;
    const known = normalizeValue(value, host);
    const name = this.#typeOf(known, type);
    if (!canBeOpened(known)) return { path: at.expr, type: name, value: this.#text(known, type, at.expr) };
    const opened = yield* this.#opened(known, type, { ...at, expr: asObject(at.expr) }, true);
    const hint = this.#hint;
    return {
      path: at.expr,
      type: name,
      ...(opened.count === undefined ? { value: this.#text(known, type, at.expr) } : {}),
      ...opened,
      ...(at.depth > 0 ? this.#methods(known) : {}),
      ...(hint === undefined ? {} : { hint }),
    };
  }

  #text(value: unknown, type: Type, expr: string): Json {
    return this.#encoder.encode(value, type, { depth: 0, path: expr });
  }

  /** The most exact name: the declared class of the value itself, else its static type. */
  #typeOf(value: unknown, type: Type): string {
    if (typeof value === "object" && value !== null) {
      const actual = this.#options.registry.of(value);
      if (actual !== undefined) return actual.declaration.name;
    }
    if (type.kind === "class") return type.definition.fullName;
    return type.kind === "dynamic" ? this.#foreign(value) : typeName(type);
  }

  #foreign(value: unknown): string {
    if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
    if (SimpleValue.isSimple(value)) return value.type;
    if (Decimal.is(value)) return "Decimal";
    if (EnumValue.is(value)) return value.definition.name;
    const { host, hidden } = this.#options;
    return (
      hidden?.className(value) ??
      (host.listing(value) !== undefined ? "Array" : host.dictionary(value) !== undefined ? "Map" : "Object")
    );
  }

  /** Members or elements, down to the depth; a count alone at depth 0. */
  *#opened(value: object, type: Type, { expr, depth }: LivePlace, isTarget: boolean): Resumable<OpenedInfo> {
    const { host, limit, offset } = this.#options;
    const entries = Sequence.is(value) || isRow(value) ? undefined : host.dictionary(value);
    const list = entries === undefined ? findListing(value, host) : undefined;
    const count = entries?.size ?? list?.length;
    if (depth > 0 && this.#left <= 0)
      this.#hint ??= "not all is opened: go on with an `expr` of this answer, or a smaller depth";
    if (depth <= 0 || this.#left <= 0) return count === undefined ? {} : { count };
    this.#open.push({ value, path: expr });
    const start = isTarget ? offset : 0;
    const most = isTarget ? limit : Math.min(limit, 10);
    try {
      if (entries !== undefined)
        return { count: entries.size, ...(yield* this.#entries(entries, type, { expr, depth }, [start, most])) };
      if (list !== undefined)
        return { count: list.length, ...(yield* this.#elements(list, type, { expr, depth }, [start, most])) };
      return yield* this.#members(value, type, { expr, depth }, isTarget ? [start, Math.max(most, 200)] : [0, 60]);
    } finally {
      this.#open.pop();
    }
  }

  /** The same of a value inside another: one that has too many names stays closed. */
  *#openedInside(value: object, type: Type, at: LivePlace): Resumable<OpenedInfo> {
    try {
      return yield* this.#opened(value, type, at, false);
    } catch (error) {
      if (!(error instanceof LinqError) || error.code !== "pause_needed") throw error;
      this.#hint ??= `${at.expr} is not opened: ${error.message}; ${error.hint}`;
      return {};
    }
  }

  *#elements(
    list: Listing,
    type: Type,
    { expr, depth }: LivePlace,
    [start, most]: readonly [number, number],
  ): Resumable<Pick<LiveInfo, "items" | "more">> {
    const item = type.kind === "list" ? type.item : dynamic;
    const items: ItemInfo[] = [];
    for (let before = 0; before < start; before += skipped) {
      // What is read one after the other comes there in steps.
      list.at(before);
      if (yield* this.#pause()) list.resumed?.();
    }
    for (let index = start; index < Math.min(start + most, list.length); index++) {
      const at = { expr: `${expr}[${index}]`, depth: depth - 1 };
      items.push({ index, ...(yield* this.#read(() => list.at(index), item, at)) });
      if (yield* this.#pause()) list.resumed?.();
    }
    const more = list.length - start - items.length;
    return more > 0 ? { items, more } : { items };
  }

  /** Gives the thread back when it is time to; true when it did. */
  *#pause(): Resumable<boolean> {
    if (this.#options.budget?.isSpent() !== true) return false;
    yield;
    return true;
  }

  *#entries(
    entries: Entries,
    type: Type,
    { expr, depth }: LivePlace,
    [start, most]: readonly [number, number],
  ): Resumable<Pick<LiveInfo, "items" | "more">> {
    const [keyType, valueType] = type.kind === "dictionary" ? [type.key, type.value] : [dynamic, dynamic];
    const items: ItemInfo[] = [];
    let at = 0;
    for (const [key, each] of entries) {
      if (at >= start + most) break;
      if (at++ < start) {
        if (at % skipped === 0) yield* this.#pause();
        continue;
      }
      const way = entryExpression(expr, key, { type: keyType, index: start + items.length });
      const shown = yield* this.#one(each, valueType, { expr: way, depth: depth - 1 });
      items.push({ key: this.#text(key, keyType, expr), ...shown });
      yield* this.#pause();
    }
    const more = entries.size - start - items.length;
    return more > 0 ? { items, more } : { items };
  }

  /** One value inside another: its text, or what is in it when the depth allows. */
  *#one(given: unknown, type: Type, at: LivePlace): Resumable<Omit<ItemInfo, "index" | "key">> {
    this.#left--;
    if (RedactedValue.is(given)) return { type: RedactedValue.typeOf(given), expr: at.expr, redacted: true };
    const value = normalizeValue(given, this.#options.host);
    const name = this.#typeOf(value, type);
    const key = Group.is(value) ? { key: this.#text(value.key, keyType(type), at.expr) } : {};
    const head = { type: name, expr: at.expr, ...key };
    if (!canBeOpened(value)) return { ...head, value: this.#text(value, type, at.expr) };
    const above = this.#open.find((each) => each.value === value);
    if (above !== undefined) return { ...head, ref: above.path };
    const isStruct = this.#options.isStruct(type);
    const opened = isStruct ? {} : yield* this.#openedInside(value, type, at);
    return opened.count === undefined
      ? { ...head, value: this.#text(value, type, at.expr), ...opened }
      : { ...head, ...opened };
  }

  *#members(
    value: object,
    type: Type,
    at: LivePlace,
    [start, most]: readonly [number, number],
  ): Resumable<Pick<LiveInfo, "members" | "more">> {
    const { host } = this.#options;
    if (isRow(value)) return yield* this.#fields(value, type, at);
    const definition =
      host.findClass(value) ?? (type.kind === "class" && !type.definition.open ? type.definition : undefined);
    const parts =
      definition === undefined
        ? this.#undeclared(value, at, undefined)
        : [this.#declared(value, definition, at), ...this.#undeclared(value, at, definition)];
    const members: MemberInfo[] = [];
    let before = 0;
    for (const { length, show } of parts) {
      const from = Math.max(0, start - before);
      const to = Math.min(length, start + most - before);
      for (let index = from; index < to; index++) {
        members.push(yield* show(index));
        yield* this.#pause();
      }
      before += length;
    }
    const more = before - start - members.length;
    return more > 0 ? { members, more } : { members };
  }

  #declared(value: object, definition: ClassDefinition, at: LivePlace): MemberList {
    const { registry } = this.#options;
    const declared = declaredMembers(registry, definition.fullName);
    const shown = allMembers(definition).filter(
      ({ name }) => this.#options.includePrivate || (declared.get(name)?.access ?? "public") === "public",
    );
    return listMembers(shown, (member) => this.#declaredMember(value, member, { declared, at }));
  }

  *#declaredMember(
    value: object,
    { name, type, read, isRedacted }: MemberDefinition,
    { declared, at }: { readonly declared: ReadonlyMap<string, MemberDeclaration>; readonly at: LivePlace },
  ): Resumable<MemberInfo> {
    const { host } = this.#options;
    const declaration = declared.get(name);
    const head = {
      name,
      kind: declaration?.kind ?? "property",
      type: declaration?.type ?? typeName(type),
      access: declaration?.access ?? "public",
      expr: memberExpression(at.expr, name),
      ...(declaration?.attributes === undefined ? {} : { attributes: declaration.attributes.map(attributeInfo) }),
    } as const;
    if (isRedacted === true) return { ...head, redacted: true };
    const inside = { expr: head.expr, depth: at.depth - 1 };
    const readMember = () => (declaration?.read === undefined ? read(value) : this.#ending(() => read(value)));
    return { ...(yield* this.#read(() => linkedCheck(type, host)(readMember()), type, inside)), ...head };
  }

  /** Code of the host, ended when it takes more than its share of the time. */
  #ending<T>(run: () => T): T {
    const { elapsed, wallMs, within } = this.#options;
    if (within === undefined) return run();
    const left = wallMs - (elapsed() - this.#start);
    return within(Math.max(1, Math.ceil(left * share)), run);
  }

  /** What reading gives: a value, a count, a reference, or why not. */
  *#read(read: () => unknown, type: Type, at: LivePlace): Resumable<Omit<ItemInfo, "index">> {
    const { elapsed } = this.#options;
    const start = elapsed();
    try {
      const value = read();
      const took = elapsed() - start;
      const shown = yield* this.#one(value, type, at);
      return took > slowMs ? { ...shown, slowMs: Math.round(took) } : shown;
    } catch (error) {
      if (!(error instanceof LinqError) || error.code === "result_too_large") throw error;
      const unreadable = maskText(error.hint === undefined ? error.message : `${error.message}; ${error.hint}`);
      return { type: type.kind === "dynamic" ? "accessor" : typeName(type), expr: at.expr, unreadable };
    }
  }

  /** Members of a row that an expression made. */
  *#fields(row: Row, type: Type, { expr, depth }: LivePlace): Resumable<Pick<LiveInfo, "members">> {
    const fields = type.kind === "record" ? type.fields : [];
    const members: MemberInfo[] = [];
    for (const [name, value] of Object.entries(row)) {
      const field = fields.find((each) => each.name === name)?.type ?? dynamic;
      const shown = yield* this.#one(value, field, { expr: memberExpression(expr, name), depth: depth - 1 });
      members.push({ name, kind: "field", access: "public", ...shown });
    }
    return { members };
  }

  /** What an object owns and hides beyond its declaration; no expression reads that of a declared class, unless it is open. */
  #undeclared(value: object, at: LivePlace, definition: ClassDefinition | undefined): readonly MemberList[] {
    const { host, hidden, includePrivate, registry } = this.#options;
    const declared =
      definition === undefined ? undefined : declaredKeys(declaredMembers(registry, definition.fullName));
    const all = host.fieldNames(value);
    const names = declared === undefined ? all : all.filter((name) => !declared.has(name));
    const found = (hidden?.members(value) ?? []).filter(
      ({ name, access }) =>
        (includePrivate || access === "public") && !Object.hasOwn(value, name) && declared?.has(name) !== true,
    );
    const canBeRead = definition === undefined || definition.open;
    const own = listMembers(names, (name) => this.#ownMember(value, name, { at, canBeRead }));
    return [own, listMembers(found, (member) => this.#hiddenMember(value, member, at))];
  }

  *#ownMember(
    value: object,
    name: string,
    { at, canBeRead }: { readonly at: LivePlace; readonly canBeRead: boolean },
  ): Resumable<MemberInfo> {
    const { host } = this.#options;
    const head = { name: maskText(name), kind: "field", access: "public" } as const;
    const redacted = host.redactedType?.(value, name);
    if (redacted !== undefined) return { ...head, type: redacted, redacted: true };
    // A name with a credential in it is shown masked, which no expression finds.
    const isReadable = canBeRead && head.name === name;
    const way = { expr: memberExpression(at.expr, name), depth: isReadable ? at.depth - 1 : 0 };
    const { expr, ...shown } = yield* this.#read(() => host.field(value, name), dynamic, way);
    return { ...head, ...shown, ...(isReadable ? { expr } : {}) };
  }

  /** A getter of its class is read where the host runs such. */
  *#hiddenMember(value: object, member: HiddenMember, at: LivePlace): Resumable<MemberInfo> {
    const { host } = this.#options;
    const { name, kind, access, type } = member;
    const runs = kind === "accessor" && access === "public" && type !== "set" && !name.startsWith("[Symbol(");
    if (host.callMember === undefined || !runs) return yield* showAtOnce(member);
    if (host.redactedType?.(value, name) !== undefined) return yield* showAtOnce({ ...member, redacted: true });
    const way = { expr: memberExpression(at.expr, name), depth: at.depth - 1 };
    return { ...(yield* this.#read(() => host.field(value, name), dynamic, way)), name, kind, access };
  }

  #methods(value: object): { readonly methods?: readonly MethodInfo[] } {
    const { host, registry, hidden, includePrivate } = this.#options;
    const definition = Sequence.is(value) || isRow(value) ? undefined : host.findClass(value);
    const methods =
      definition === undefined
        ? (hidden?.methods(value) ?? [])
        : withUndeclared(declaredMethods(registry, definition.fullName), hidden?.methods(value) ?? []);
    const shown = methods.filter(({ access }) => includePrivate || access === "public");
    const runs = definition === undefined && host.callMember !== undefined;
    const listed = shown.map((method) => (runs && method.access === "public" ? { ...method, callable: true } : method));
    return listed.length === 0 ? {} : { methods: listed.map(maskMethod) };
  }
}
