/**
 * The documents of `codeplan api` and `codeplan api diff`.
 */
import type { ApiDescriptor, ApiPackage, ChangeFile } from '#protocol/api.js';
import { SCHEMA_VERSION, type BlockKind, type Problem } from '#protocol/words.js';
import { apiChanges, ApiSide } from '../api/api-diff.js';
import { apiOf } from '../api/api.js';
import { foldersUp } from '../api/dependencies/dependency.js';
import { knownMoves } from '../api/known-moves.js';
import { MANIFESTS } from '../api/manifests.js';
import { publicNames } from '../api/public-names.js';
import { placesOf, placesTogether } from '../api/whereabouts.js';
import { inTurns } from '../base/turns.js';
import { kindName } from '../change/atomic-change.js';
import { lineAt } from '../syntax/line-at.js';
import type { Grammars } from '../syntax/grammar.js';
import { toldOf, treeOf } from './api-tree.js';
import { editInTurns } from './edit-between.js';
import { ServiceError } from './service.js';
import type { WorkingTree } from './working-tree.js';

/** `manifest`: text of a manifest of the root, undefined where there is none. */
export async function apiDocument(
  tree: WorkingTree,
  manifest: (file: string) => string | undefined,
  problems: readonly Problem[],
  grammars: Grammars,
  signal: AbortSignal,
): Promise<ApiDescriptor> {
  const api = await inTurns(
    apiOf(tree.snapshot, tree.resolver, (file) => tree.text(file), grammars),
    signal,
  );
  const alone = await inTurns(treeOf(api, grammars), signal);
  const names = publicNames(alone.snapshot, alone.resolver).map(({ file, decl, path }) => {
    const summary = alone.resolver.summary(file);
    const { decls } = summary;
    return {
      name: path,
      kind: kindName(decls.kindOf(decl)) as BlockKind,
      signature: headerOf(alone.text(file) ?? '', decls.startOf(decl), decls.bodyStartOf(decl)),
      file,
      block: decls.pathOf(decl),
      line: lineAt(summary, decls.startOf(decl)),
    };
  });
  const texts = (map: ReadonlyMap<string, string>): ApiDescriptor['files'] =>
    [...map].map(([file, text]) => ({ file, text }));
  return {
    schema: SCHEMA_VERSION,
    kind: 'api',
    packages: packagesOf(tree, [...api.files.keys()], manifest),
    names,
    files: texts(api.files),
    settings: texts(api.settings),
    problems: names.length > 0 ? [...problems] : [...problems, { message: nothingPublic(tree, api.files.size) }],
  };
}

const nothingPublic = ({ snapshot }: WorkingTree, files: number): string =>
  `no public name was found: of ${snapshot.files.size} source files ${files} can be reached from outside; ` +
  'check that the manifest that names the entry is there and not ignored';

const headerOf = (text: string, start: number, end: number): string =>
  text.slice(start, end).replace(/\s+/gu, ' ').trim();

/** What the folders around the files are published as; each once. */
function packagesOf(
  { snapshot }: WorkingTree,
  files: readonly string[],
  textOf: (file: string) => string | undefined,
): ApiPackage[] {
  const folders = new Set(files.flatMap(foldersUp));
  const out = new Map<string, ApiPackage>();
  for (const { ecosystem, language, names, read } of MANIFESTS) {
    if (!files.some((file) => snapshot.summary(file)?.language === language)) continue;
    const candidates = names.flatMap((name) =>
      name.startsWith('*')
        ? snapshot.configsNamed(name).filter((file) => folders.has(file.slice(0, Math.max(0, file.lastIndexOf('/')))))
        : [...folders].map((folder) => (folder === '' ? name : `${folder}/${name}`)),
    );
    for (const file of candidates) {
      const text = snapshot.config(file) ?? textOf(file);
      const stem = file.slice(file.lastIndexOf('/') + 1).replace(/\.\w+$/u, '');
      const found = text === undefined ? undefined : read(text, stem);
      if (found === undefined || out.has(`${ecosystem} ${found.name}`)) continue;
      out.set(`${ecosystem} ${found.name}`, {
        ecosystem,
        name: found.name,
        ...(found.version === undefined ? {} : { version: found.version }),
      });
    }
  }
  return [...out.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What lies between two versions of an API. Throws ServiceError `refused` where one of them has no public name. */
export async function changeDocument(
  from: ApiDescriptor,
  to: ApiDescriptor,
  grammars: Grammars,
  signal: AbortSignal,
): Promise<ChangeFile> {
  for (const [side, { names, problems }] of Object.entries({ first: from, second: to }))
    if (names.length === 0)
      // Otherwise all of the other one would have come or gone.
      throw new ServiceError(
        'refused',
        `two versions cannot be compared: the ${side} has no public name ` +
          `(${problems.map(({ message }) => message).join('; ')})`,
      );
  return changeBetween(from, to, grammars, signal);
}

/** Of what has no public name as well: what only hands other libraries on has none that is its own. */
export async function changeBetween(
  from: ApiDescriptor,
  to: ApiDescriptor,
  grammars: Grammars,
  signal: AbortSignal,
): Promise<ChangeFile> {
  const before = await inTurns(treeOf(sideTexts(from), grammars), signal);
  const after = await inTurns(treeOf(sideTexts(to), grammars, before), signal);
  const [old, now] = [before, after].map((tree) => new ApiSide(tree.snapshot, tree.resolver)) as [ApiSide, ApiSide];
  const moves = knownMoves(old, now);
  const edit = await inTurns(editInTurns(before.knowing(toldOf(moves, before)), after), signal);
  const changes = apiChanges(edit, old, now).map(
    ({ change, name, newName, tier, reason }): ChangeFile['changes'][number] => ({
      name,
      ...(newName === undefined || newName === name ? {} : { newName }),
      kind: change.kind as BlockKind,
      label: change.label,
      tier,
      reason,
      detail: JSON.parse(JSON.stringify(change.detail)) as Record<string, never>,
      file: change.file,
      block: change.block,
    }),
  );
  const versions = new Map(to.packages.map((each) => [`${each.ecosystem} ${each.name}`, each.version]));
  return {
    schema: SCHEMA_VERSION,
    kind: 'change',
    packages: from.packages.map(({ ecosystem, name, version }) => {
      const now = versions.get(`${ecosystem} ${name}`);
      return {
        ecosystem,
        name,
        ...(version === undefined ? {} : { from: version }),
        ...(now === undefined ? {} : { to: now }),
      };
    }),
    breaks: changes.filter(({ tier }) => tier === 'breaks').length,
    may: changes.filter(({ tier }) => tier === 'may').length,
    changes,
    ...(moves.length === 0 ? {} : { moves }),
    places: [...placesTogether([before, after].map(({ snapshot }) => placesOf(snapshot, from.packages)))],
    files: paired(from.files, to.files),
    settings: paired(from.settings, to.settings),
    problems: [...from.problems, ...to.problems],
  };
}

const sideTexts = ({ files, settings }: ApiDescriptor): Parameters<typeof treeOf>[0] => ({
  files: new Map(files.map(({ file, text }) => [file, text])),
  settings: new Map(settings.map(({ file, text }) => [file, text])),
});

function paired(before: ApiDescriptor['files'], after: ApiDescriptor['files']): ChangeFile['files'] {
  const [old, now] = [before, after].map((entries) => new Map(entries.map(({ file, text }) => [file, text])));
  return [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])].sort().map((file) => {
    const [was, is] = [old?.get(file), now?.get(file)];
    if (was !== undefined && was === is) return { file, both: was };
    return { file, ...(was === undefined ? {} : { before: was }), ...(is === undefined ? {} : { after: is }) };
  });
}
