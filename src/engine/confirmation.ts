/**
 * Sites that are only possible, put to a person's language server.
 *
 *     its references of the block have the site       certain, through the language server
 *     its definition of the name there is the block   the same
 *     its definition lies elsewhere                   denied
 *     it has no definition either                     possible, as before
 *     it has a reference that is no site              added, unless the row certainly means something else
 *     it has a class or a member above or below       added
 *
 * References are those of `textDocument/references` and, where the server has one, of its call
 * hierarchy; what stands above and below comes from its type hierarchy or its implementations.
 * A server that does not know the receiver's type has nothing to deny with: silence changes nothing.
 * One that fails leaves everything as it was, with a problem that says so.
 */
import type { Problem } from '#protocol/words.js';
import { blockOf, edgeKind, type Site } from '../graph/refer/site.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { E, isFunctionLike, R, type LanguageId, type Summary } from '../syntax/summary.js';
import { lineAt } from '../syntax/line-at.js';
import type { Position, ReferenceServer, ServerReply, ServerPlace } from './effects.js';
import { offsetOf } from './spans.js';

/** How many definitions are asked for in one answer. */
const DEFINITIONS_MOST = 300;

export interface ConfirmationParts {
  readonly resolver: Resolver;
  readonly text: (file: string) => string | undefined;
  /** Files whose unsaved texts the server has to know. */
  readonly unsaved: readonly string[];
  readonly start: (language: LanguageId, signal: AbortSignal) => Promise<ServerReply<ReferenceServer>>;
  readonly signal: AbortSignal;
}

export interface Confirmed {
  readonly sites: readonly Site[];
  readonly denied: readonly Site[];
}

interface Listed {
  readonly target: DeclRef;
  readonly places: readonly ServerPlace[];
}

/** Asks one server for each language, started at the first question and ended with `close`. */
export class Confirmation {
  readonly problems: Problem[] = [];
  private readonly servers = new Map<LanguageId, Promise<ReferenceServer | undefined>>();
  private readonly opened = new Set<string>();
  private readonly definitions = new Map<string, readonly ServerPlace[]>();

  constructor(private readonly parts: ConfirmationParts) {}

  /** `targets`: whose references are asked for; none to look at the sites alone. */
  async of(targets: readonly DeclRef[], sites: readonly Site[]): Promise<Confirmed> {
    const at = targets[0]?.file ?? sites[0]?.file;
    const server = at === undefined ? undefined : await this.server(this.parts.resolver.summary(at).language);
    if (server === undefined) return { sites, denied: [] };
    const unsure = sites.filter((site) => site.confidence === 'possible');
    for (const { file } of [...targets, ...unsure]) this.open(server, file);
    // References first: some servers answer a definition from the open file alone until they have read the project.
    const listed = await this.references(
      server,
      targets.length > 0 ? targets : distinct(unsure.map((site) => site.target)),
    );
    const out: Site[] = [];
    const denied: Site[] = [];
    for (const site of sites) {
      const verdict =
        site.confidence === 'certain' || site.expr < 0 ? 'kept' : await this.verdict(server, site, listed);
      if (verdict === 'denied') denied.push(site);
      else out.push(verdict === 'kept' ? site : { ...site, confidence: 'certain', via: 'language server' });
    }
    const added = this.added(targets, [...out, ...denied], listed);
    return {
      sites:
        added.length === 0
          ? out
          : [...out, ...added].sort((a, b) =>
              a.file === b.file ? this.offset(a) - this.offset(b) : a.file < b.file ? -1 : 1,
            ),
      denied,
    };
  }

  /** What a block calls, its sites judged as in `of`, and with the calls that only the server has. */
  async callees(block: DeclRef, sites: readonly Site[]): Promise<readonly Site[]> {
    const judged = await this.of([], sites);
    const { resolver } = this.parts;
    const summary = resolver.summary(block.file);
    const server = await this.server(summary.language);
    const at = this.nameOf(block);
    if (server === undefined || at === undefined) return judged.sites;
    this.open(server, block.file);
    const known = [...judged.sites, ...judged.denied];
    const added = (this.value(await server.callsIn(block.file, at, this.parts.signal)) ?? []).flatMap(
      ({ at: place, callee }) => {
        const target = this.declared(callee);
        const site = target === undefined ? undefined : this.addition(place, target, known);
        return site === undefined ? [] : [site];
      },
    );
    return [...judged.sites, ...added];
  }

  /** What a server knows above or below a block, the one next to it or further; those in the repository. */
  async relatives(block: DeclRef, way: 'above' | 'below'): Promise<DeclRef[]> {
    const server = await this.server(this.parts.resolver.summary(block.file).language);
    const at = this.nameOf(block);
    if (server === undefined || at === undefined) return [];
    this.open(server, block.file);
    const places = this.value(await server[way](block.file, at, this.parts.signal)) ?? [];
    const found = distinct(places.flatMap((place) => this.declared(place) ?? []));
    // An object that implements a type has no name to be told by; its members have.
    return found.filter(
      (ref) => (ref.file !== block.file || ref.decl !== block.decl) && this.nameOf(ref) !== undefined,
    );
  }

  async close(): Promise<void> {
    for (const server of this.servers.values()) await (await server)?.stop();
  }

  private server(language: LanguageId): Promise<ReferenceServer | undefined> {
    let server = this.servers.get(language);
    if (server === undefined) this.servers.set(language, (server = this.started(language)));
    return server;
  }

  private async started(language: LanguageId): Promise<ReferenceServer | undefined> {
    const server = this.value(await this.parts.start(language, this.parts.signal));
    if (server !== undefined)
      for (const file of this.parts.unsaved)
        if (this.parts.resolver.repo.summary(file)?.language === language) this.open(server, file);
    return server;
  }

  private open(server: ReferenceServer, file: string): void {
    const text = this.opened.has(file) ? undefined : this.parts.text(file);
    if (text === undefined) return;
    this.opened.add(file);
    server.open(file, text);
  }

  /** Places by what they refer to. */
  private async references(server: ReferenceServer, targets: readonly DeclRef[]): Promise<Listed[]> {
    const out: Listed[] = [];
    for (const target of targets) {
      const at = this.nameOf(target);
      this.open(server, target.file);
      if (at === undefined) continue;
      const references = this.value(await server.references(target.file, at, this.parts.signal)) ?? [];
      const isCalled = isFunctionLike(this.parts.resolver.summary(target.file).decls.kindOf(target.decl));
      out.push({
        target,
        places: [
          ...references,
          ...(isCalled ? (this.value(await server.callsTo(target.file, at, this.parts.signal)) ?? []) : []),
        ],
      });
    }
    return out;
  }

  private nameOf({ file, decl }: DeclRef): Position | undefined {
    const summary = this.parts.resolver.summary(file);
    const at = decl < 0 ? -1 : summary.decls.nameStartOf(decl);
    return at < 0 ? undefined : positionOf(summary, at);
  }

  /** The declaration that a server points at. */
  private declared(place: ServerPlace): DeclRef | undefined {
    const summary = place.file === undefined ? undefined : this.parts.resolver.repo.summary(place.file);
    if (place.file === undefined || summary === undefined) return undefined;
    for (let decl = 0; decl < summary.decls.count; decl++)
      if (isWithin(summary, decl, place)) return { file: place.file, decl };
    return undefined;
  }

  private async verdict(
    server: ReferenceServer,
    site: Site,
    listed: readonly Listed[],
  ): Promise<'confirmed' | 'denied' | 'kept'> {
    const { resolver } = this.parts;
    const summary = resolver.summary(site.file);
    const at = positionOf(summary, summary.exprs.startOf(site.expr));
    const own = listed.find(({ target }) => target.file === site.target.file && target.decl === site.target.decl);
    if (
      own?.places.some(
        (place) => place.file === site.file && place.line === at.line && place.character === at.character,
      ) === true
    )
      return 'confirmed';
    const places = await this.definition(server, site.file, at);
    if (places.length === 0) return 'kept';
    return places.some(
      (place) =>
        place.file === site.target.file && isWithin(resolver.summary(site.target.file), site.target.decl, place),
    )
      ? 'confirmed'
      : 'denied';
  }

  private async definition(server: ReferenceServer, file: string, at: Position): Promise<readonly ServerPlace[]> {
    const key = `${file}\0${at.line}\0${at.character}`;
    const known = this.definitions.get(key);
    if (known !== undefined || this.definitions.size >= DEFINITIONS_MOST) return known ?? [];
    const places = this.value(await server.definitions(file, at, this.parts.signal)) ?? [];
    this.definitions.set(key, places);
    return places;
  }

  /** References that the server has and we have not. */
  private added(targets: readonly DeclRef[], known: readonly Site[], listed: readonly Listed[]): Site[] {
    const [target] = targets;
    if (target === undefined) return [];
    const out: Site[] = [];
    for (const place of listed.flatMap(({ places }) => places)) {
      const site = this.addition(place, target, [...known, ...out]);
      if (site !== undefined) out.push(site);
    }
    return out;
  }

  /** A reference where a server sees one: a row that is no known site, and whose meaning is not known otherwise. */
  private addition(place: ServerPlace, target: DeclRef, known: readonly Site[]): Site | undefined {
    const { resolver } = this.parts;
    const summary = place.file === undefined ? undefined : resolver.repo.summary(place.file);
    if (place.file === undefined || summary === undefined) return undefined;
    const expr = rowAt(summary, offsetOf(summary, place.line + 1, place.character));
    if (
      expr < 0 ||
      known.some((site) => site.file === place.file && site.expr === expr) ||
      isSettled(resolver, place.file, expr)
    )
      return undefined;
    const targetKind = resolver.summary(target.file).decls.kindOf(target.decl);
    return {
      file: place.file,
      expr,
      block: blockOf(summary, expr),
      target,
      kind: edgeKind(resolver, place.file, summary.exprs.roleOf(expr), targetKind),
      confidence: 'certain',
      via: 'language server',
    };
  }

  private offset({ file, expr, block }: Site): number {
    const { exprs, decls } = this.parts.resolver.summary(file);
    return expr >= 0 ? exprs.startOf(expr) : decls.startOf(block);
  }

  /** What was said; a failure is told once. */
  private value<T>(reply: ServerReply<T>): T | undefined {
    if (reply.ok) return reply.value;
    if (!this.problems.some((problem) => problem.message === reply.message))
      this.problems.push({ message: reply.message });
    return undefined;
  }
}

const distinct = (refs: readonly DeclRef[]): DeclRef[] => [
  ...new Map(refs.filter((ref) => ref.decl >= 0).map((ref) => [`${ref.file}\0${ref.decl}`, ref])).values(),
];

/** Whether a row certainly means a block already, or is none that refers. */
function isSettled(resolver: Resolver, file: string, expr: number): boolean {
  const { exprs } = resolver.summary(file);
  if (exprs.roleOf(expr) === R.declares || exprs.roleOf(expr) === R.doc) return true;
  const { confidence, targets } = resolver.resolve(file, expr);
  return confidence === 'certain' && targets.length > 0;
}

function positionOf(summary: Summary, offset: number): Position {
  const line = lineAt(summary, offset);
  return { line: line - 1, character: offset - (summary.lineStarts[line - 1] as number) };
}

/** Servers point at the name of a declaration, or at all of it. */
function isWithin(summary: Summary, decl: number, place: ServerPlace): boolean {
  const at = offsetOf(summary, place.line + 1, place.character);
  if (at === undefined || decl < 0) return at !== undefined;
  const name = summary.decls.nameStartOf(decl);
  return at === name || at === summary.decls.startOf(decl);
}

function rowAt(summary: Summary, offset: number | undefined): number {
  const { exprs } = summary;
  if (offset === undefined) return -1;
  for (let expr = 0; expr < exprs.count; expr++) {
    const op = exprs.opOf(expr);
    if (exprs.startOf(expr) === offset && (op === E.name || op === E.member || op === E.initializer)) return expr;
  }
  return -1;
}
