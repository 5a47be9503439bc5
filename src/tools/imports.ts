/**
 * Where the names come from that a piece of code uses and does not bind.
 *
 * The code is read as if it stood in its file. What its own scopes, the rest of the file, the same package or an
 * enclosing namespace explain needs no import. Of every other name the repository is asked what it means
 * elsewhere: what other files' uses of it resolve to decides among definitions of one name, and between them and
 * something from outside. Nothing is guessed: a name that nothing in the repository declares is external.
 */
import * as z from 'zod';
import { sharedFolders } from '../base/paths.js';
import { shownInLine } from '../base/shown.js';
import { moduleMembers } from '../graph/resolve/imports.js';
import { qualifiedName } from '../graph/resolve/hierarchy.js';
import { Resolver } from '../graph/resolve/resolver.js';
import { isTestFile } from '../languages/test-file.js';
import { languageOf } from '../languages/registry.js';
import { summarise } from '../languages/summarise.js';
import type { DeclRef, Entity, Language } from '../languages/language.js';
import { declKey, sameDecl } from '../syntax/rows.js';
import { D, E, F, isClassLike, R, type Summary } from '../syntax/summary.js';
import { fitted, quoted, tool, type Repository } from './tool.js';

export interface ImportOption {
  readonly statement: string;
  readonly file?: string;
  readonly sameFile?: boolean;
}

export interface ImportItem {
  readonly name: string;
  readonly options: readonly ImportOption[];
  readonly external?: boolean;
}

/** Files whose use of a name is looked at. */
const WITNESSES_MOST = 40;
/** A meaning that so small a share of the witnesses has is no option. */
const SHARE_LEAST = 0.2;

export const imports = tool({
  name: 'get_imports',
  description:
    'For code that is to stand in a file: every name that it uses and does not bind, with the import statements ' +
    'that bring it, best first; names from outside of the repository are marked.',
  params: z.strictObject({
    file: z.string().min(1).describe('Where the code will stand, relative to the root.'),
    code: z.string().describe('The code; its imports may be missing.'),
  }),
  searches: false,
  call: (repository, { file, code }) => {
    const language = languageOf(file);
    if (language === undefined)
      return { items: [], text: `${quoted(file)} is of no language that is indexed`, truncated: false, total: 0 };
    const items = importsFor(repository, file, code, language);
    const lines = items.map(lineOf);
    return {
      items,
      text: items.length === 0 ? 'Every name is bound by the code itself.' : fitted(lines, 'give less code'),
      truncated: false,
      total: items.length,
    };
  },
});

function lineOf({ name, options, external }: ImportItem): string {
  if (external === true) {
    const elsewhere = options[0] === undefined ? '' : `; elsewhere ${shownInLine(options[0].statement)}`;
    return `${name}: not in the repository, probably external${elsewhere}`;
  }
  const ways = options.map(({ statement, sameFile }) =>
    sameFile === true ? 'in the same file' : shownInLine(statement),
  );
  return `${name}: ${ways.join(' | ')}`;
}

function importsFor(repository: Repository, file: string, code: string, language: Language): ImportItem[] {
  const summary = summarise(repository.grammars, file, code);
  if (summary === undefined) return [];
  const inPlace = new Resolver(repository.snapshot.with(new Map([[file, summary]])));
  const search = new ImportSearch(repository, file, language);
  const items: ImportItem[] = [];
  for (const [name, row] of freeNames(inPlace, file, summary, language)) {
    const item = search.itemOf(name, isTypePlace(summary, row), membersOf(summary, name));
    if (item !== undefined) items.push(item);
  }
  return items.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Names that nothing in the code or around it explains, with a row that says each. */
function freeNames(resolver: Resolver, file: string, summary: Summary, language: Language): Map<string, number> {
  const { exprs } = summary;
  const free = new Map<string, number>();
  const bound = new Set<string>();
  for (let row = 0; row < exprs.count; row++) {
    if (exprs.opOf(row) !== E.name || !ASKING.has(exprs.roleOf(row))) continue;
    const name = exprs.nameOf(row);
    const isType = language.typesOnlyRoles.has(exprs.roleOf(row));
    // A member may be called like its type, which it does not bind: `Store Store`.
    const key = isType ? `type ${name}` : name;
    if (free.has(name) || bound.has(key) || name === '') continue;
    // Where members are named bare, a name in lower case is an inherited one, or begins that of a package.
    if (language.bareMembers && !/^\p{Lu}/u.test(name)) continue;
    const { targets, external, module } = resolver.resolve(file, row);
    // What merely may be external may also be had by an import: a base that is not known yet might have anything.
    const isOfLanguage = external && language.isBuiltin(name);
    if (targets.length > 0 || isOfLanguage || module !== undefined || isBound(summary, row, isType)) bound.add(key);
    else free.set(name, row);
  }
  return free;
}

/** What the code takes of a name: `put` of `store.put(1)`. */
function membersOf({ exprs }: Summary, name: string): string[] {
  const members = new Set<string>();
  for (let row = 0; row < exprs.count; row++) {
    const base = exprs.opOf(row) === E.member ? exprs.baseOf(row) : -1;
    if (base >= 0 && exprs.opOf(base) === E.name && exprs.nameOf(base) === name) members.add(exprs.nameOf(row));
  }
  return [...members];
}

const ASKING: ReadonlySet<number> = new Set([R.read, R.callee, R.newCallee, R.base, R.type, R.decorator, R.update]);
const isTypePlace = ({ exprs }: Summary, row: number): boolean =>
  [R.newCallee, R.base, R.type, R.decorator].includes(exprs.roleOf(row) as 3);

/** Whether a scope around the row declares the name; for a type, as one. */
function isBound({ exprs, scopes, decls }: Summary, row: number, isType: boolean): boolean {
  const binds = (decl: number): boolean =>
    !isType || isClassLike(decls.kindOf(decl)) || decls.kindOf(decl) === D.typeParam;
  for (let scope = exprs.scopeOf(row); scope >= 0; scope = scopes.parentOf(scope))
    if (decls.inScope(scope, exprs.nameIdOf(row)).some(binds)) return true;
  return false;
}

class ImportSearch {
  private readonly here: Summary | undefined;

  constructor(
    private readonly repository: Repository,
    private readonly file: string,
    private readonly language: Language,
  ) {
    this.here = repository.resolver.repo.summary(file);
  }

  /** Undefined for what the rest of the file imports already. */
  itemOf(name: string, inTypePlace: boolean, members: readonly string[]): ImportItem | undefined {
    const own = this.here === undefined ? [] : [...this.here.decls.inScope(0, this.here.idOf(name))];
    const isImported = own.some((decl) => this.here?.decls.kindOf(decl) === D.importBinding);
    if (isImported) return undefined;
    if (own.length > 0) return { name, options: [{ statement: '', file: this.file, sameFile: true }] };
    const definitions = this.withMembers(this.definitionsOf(name, inTypePlace), members);
    const { meanings, external, statement } = this.meaningsElsewhere(name);
    const witnessed = definitions.filter((entity) => (meanings.get(keyOf(entity)) ?? 0) > 0);
    const most = Math.max(0, ...meanings.values());
    if (definitions.length === 0 || (external > 0 && external > most * 2))
      return { name, external: true, options: statement === undefined ? [] : [{ statement }] };
    const chosen = witnessed.length === 0 ? definitions : witnessed;
    const count = (entity: Entity): number => meanings.get(keyOf(entity)) ?? 0;
    const options = chosen
      .filter((entity) => count(entity) >= most * SHARE_LEAST)
      .sort((a, b) => count(b) - count(a) || this.nearness(b) - this.nearness(a) || (keyOf(a) < keyOf(b) ? -1 : 1))
      .flatMap((entity) => this.optionsOf(name, entity));
    const distinct = [...new Map(options.map((option) => [option.statement, option])).values()];
    return distinct.length === 0 ? { name, external: true, options: [] } : { name, options: distinct.slice(0, 5) };
  }

  /** What the repository has under the name that a file can import; from tests only for tests. */
  private definitionsOf(name: string, inTypePlace: boolean): Entity[] {
    const { resolver } = this.repository;
    const found: Entity[] = [];
    for (const spelled of [name, ...(inTypePlace ? (this.language.decoratorNames?.(name) ?? []) : [])])
      for (const file of resolver.repo.filesDeclaring(this.language.id, spelled)) {
        const summary = resolver.summary(file);
        for (const decl of summary.decls.named(summary.idOf(spelled)))
          if (this.canBeImported(summary, decl)) found.push({ kind: 'decl', file, decl });
      }
    if (this.language.submodule !== undefined)
      for (const base of [`${name}.py`, '__init__.py'])
        for (const file of resolver.repo.filesNamed(base))
          if (base !== '__init__.py' || file.endsWith(`${name}/__init__.py`)) found.push({ kind: 'module', file });
    const named = found.filter((entity) => this.language.canName?.(this.file, fileOf(entity), resolver.repo) ?? true);
    // Somebody may yet add the reference that is missing.
    const reached = named.length === 0 ? found : named;
    return isTestFile(this.file) ? reached : reached.filter((entity) => !isTestFile(fileOf(entity)));
  }

  /** Of several definitions those that have most of what the code takes of the name. */
  private withMembers(definitions: readonly Entity[], members: readonly string[]): readonly Entity[] {
    if (definitions.length < 2 || members.length === 0) return definitions;
    const counts = definitions.map((entity) => members.filter((member) => this.has(entity, member)).length);
    const most = Math.max(...counts);
    return definitions.filter((_, i) => counts[i] === most);
  }

  private has(entity: Entity, member: string): boolean {
    const { resolver } = this.repository;
    if (entity.kind === 'module') return resolver.exported(entity.file, member).length > 0;
    return entity.kind === 'decl' && resolver.member(entity, member).length > 0;
  }

  private canBeImported({ decls, scopes }: Summary, decl: number): boolean {
    const kind = decls.kindOf(decl);
    if (decls.has(decl, F.reassigned)) return false;
    if (!this.language.importsFiles)
      return isClassLike(kind) && kind !== D.anonymousClass && isAtTop(decls.parentOf(decl));
    const isNamed = isClassLike(kind) || kind === D.function || kind === D.variable;
    return isNamed && kind !== D.anonymousClass && scopes.parentOf(decls.scopeOf(decl)) < 0;
  }

  /** What uses of the name in other files resolve to, and how often it comes from outside. */
  private meaningsElsewhere(name: string): { meanings: Map<string, number>; external: number; statement?: string } {
    const { resolver } = this.repository;
    const meanings = new Map<string, number>();
    let external = 0;
    const statements = new Map<string, number>();
    const files = resolver.repo.snapshot
      .filesMentioning(name)
      .filter((file) => file !== this.file && resolver.summary(file).language === this.language.id)
      .sort((a, b) => sharedFolders(b, this.file) - sharedFolders(a, this.file) || (a < b ? -1 : 1));
    for (const file of files.slice(0, WITNESSES_MOST)) {
      const summary = resolver.summary(file);
      const row = [...summary.exprs.named(summary.idOf(name))].find(
        (candidate) => summary.exprs.opOf(candidate) === E.name && ASKING.has(summary.exprs.roleOf(candidate)),
      );
      const binding = summary.imports.find((entry) => entry.decl >= 0 && summary.decls.nameOf(entry.decl) === name);
      if (row === undefined && binding === undefined) continue;
      const {
        targets,
        external: isOutside,
        module,
      } = row === undefined ? resolver.resolve(file, binding?.expr ?? -1) : resolver.resolve(file, row);
      if (isOutside) {
        external++;
        const text = binding === undefined ? undefined : this.statementOf(file, binding, name);
        if (text !== undefined) statements.set(text, (statements.get(text) ?? 0) + 1);
      }
      for (const target of targets) {
        const key = keyOf({ kind: 'decl', ...target });
        meanings.set(key, (meanings.get(key) ?? 0) + 1);
      }
      if (module?.kind === 'module') meanings.set(keyOf(module), (meanings.get(keyOf(module)) ?? 0) + 1);
    }
    const [best] = [...statements].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    return { meanings, external, ...(best === undefined ? {} : { statement: best[0] }) };
  }

  /** The statement of an import entry, alone. */
  private statementOf(file: string, entry: Summary['imports'][number], name: string): string | undefined {
    const text = this.repository.text(file)?.slice(entry.statementStart, entry.statementEnd).trim();
    if (text === undefined) return undefined;
    if (entry.kind !== 'name') return text.includes('\n') || text.includes(',') ? undefined : text;
    return this.language.writing.importStatement(
      entry.module,
      entry.name,
      entry.name === name ? undefined : name,
      text.includes('\n') || text.includes(',') ? undefined : text,
    );
  }

  /** How a definition can be named from the file, in the file's own style first. */
  private optionsOf(name: string, entity: Entity): ImportOption[] {
    if (entity.kind === 'module') return this.moduleOptions(name, entity.file);
    if (entity.kind !== 'decl') return [];
    const { resolver } = this.repository;
    const summary = resolver.summary(entity.file);
    const declared = summary.decls.nameOf(entity.decl);
    const full = qualifiedName(summary, entity.decl);
    const space = full.slice(0, Math.max(0, full.length - declared.length - 1));
    const { writing } = this.language;
    const like = this.here?.imports.find((entry) => entry.module.startsWith('.'));
    const request = {
      from: this.file,
      target: entity.file,
      space,
      like: like?.module,
      likeTarget: like === undefined ? undefined : entity.file,
      repo: resolver.repo,
    };
    const specifiers = [...writing.specifiers(request), ...this.reExportsOf(name, entity)];
    const leading = specifiers.filter(
      (specifier) => !this.language.importsFiles || this.leadsTo(specifier, declared, entity),
    );
    const own = leading.slice(0, 1);
    const reExport = leading.find((specifier) => specifier !== own[0] && !specifier.startsWith('.'));
    return [...own, ...(reExport === undefined ? [] : [reExport])].map((specifier) => ({
      statement: writing.importStatement(specifier, declared, undefined, undefined),
      file: entity.file,
    }));
  }

  private moduleOptions(name: string, target: string): ImportOption[] {
    const { writing } = this.language;
    const request = {
      from: this.file,
      target,
      space: '',
      like: undefined,
      likeTarget: undefined,
      repo: this.repository.resolver.repo,
    };
    const path = writing.specifiers(request).find((specifier) => !specifier.startsWith('.'));
    if (path === undefined) return [];
    const dot = path.lastIndexOf('.');
    const statement =
      dot < 0 ? `import ${path}` : writing.importStatement(path.slice(0, dot), name, undefined, undefined);
    return [{ statement, file: target }];
  }

  /** Modules that other files import the definition from, the most frequent first. */
  private reExportsOf(name: string, entity: DeclRef): string[] {
    const { resolver } = this.repository;
    const counts = new Map<string, number>();
    for (const file of resolver.repo.snapshot.filesMentioning(name).slice(0, WITNESSES_MOST * 2)) {
      const summary = resolver.summary(file);
      if (summary.language !== this.language.id) continue;
      for (const entry of summary.imports)
        if (entry.kind === 'name' && entry.name === name && !entry.module.startsWith('.'))
          counts.set(entry.module, (counts.get(entry.module) ?? 0) + 1);
    }
    return [...counts]
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .map(([module]) => module)
      .filter((module) => this.leadsTo(module, name, entity))
      .slice(0, 2);
  }

  private leadsTo(specifier: string, name: string, target: DeclRef): boolean {
    const { resolver } = this.repository;
    const from = resolver.repo.hasFile(this.file) ? this.file : target.file;
    return moduleMembers(resolver, from, specifier, name).some(
      (entity) => entity.kind === 'decl' && sameDecl(entity, target),
    );
  }

  private nearness(entity: Entity): number {
    return sharedFolders(fileOf(entity), this.file);
  }
}

const isAtTop = (parent: number): boolean => parent < 0;
const fileOf = (entity: Entity): string => (entity.kind === 'decl' || entity.kind === 'module' ? entity.file : '');
const keyOf = (entity: Entity): string =>
  entity.kind === 'decl' ? declKey(entity) : entity.kind === 'module' ? `module ${entity.file}` : entity.name;
