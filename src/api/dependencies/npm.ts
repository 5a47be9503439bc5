/** Dependencies of npm's kind: package.json, and the lock files of npm, yarn and pnpm. */
import { json, stringIn, treeIn } from '../parsed.js';
import { baseOf, called, escaped, placeIn, type Dependency, type ManifestTexts } from './dependency.js';

export const NPM_FILES = /^(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml)$/u;

const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

export function npmDependencies(texts: ManifestTexts): Dependency[] {
  return [
    ...called(texts, /^package\.json$/u).flatMap(([file, text]) => declaredIn(file, text)),
    ...called(texts, /-lock\.json$|^npm-shrinkwrap\.json$/u).flatMap(([file, text]) => lockedByNpm(file, text)),
    ...called(texts, /^(?:yarn\.lock|pnpm-lock\.yaml)$/u).flatMap(([file, text]) => lockedByOthers(file, text)),
  ];
}

function declaredIn(file: string, text: string): Dependency[] {
  const tree = json(text);
  return SECTIONS.flatMap((section) =>
    Object.entries(treeIn(tree[section])).flatMap(([key, value]): Dependency[] => {
      const written = stringIn(value);
      if (written === undefined) return [];
      const [, alias, aliased] = /^npm:(@?[^@]+)@(.+)$/u.exec(written) ?? [];
      const range = aliased ?? written;
      const common = { ecosystem: 'npm', name: alias ?? key, file, kind: 'declared' } as const;
      const why = notOfRegistry(range);
      if (why !== undefined) return [{ ...common, range: undefined, place: undefined, why }];
      const head = alias === undefined ? '' : `npm:${escaped(alias)}@`;
      const sectionAt = Math.max(0, text.search(new RegExp(`"${section}"\\s*:`, 'u')));
      const pattern = new RegExp(`"${escaped(key)}"\\s*:\\s*"${head}(?<at>${escaped(range)})"`, 'u');
      return [{ ...common, range, place: placeIn(file, text, pattern, sectionAt) }];
    }),
  );
}

function notOfRegistry(range: string): string | undefined {
  if (/^(?:workspace|file|link|portal|catalog|patch):/u.test(range)) return `it is taken by ${range.split(':')[0]}`;
  if (/[/#]|^git|^https?:/u.test(range)) return 'it is taken from an address and not from the registry';
  return /^[a-z][\w-]*$/iu.test(range) && !/^x$/iu.test(range) ? `it follows the tag ${range}` : undefined;
}

function lockedByNpm(file: string, text: string): Dependency[] {
  const tree = json(text);
  const entries = [
    ...Object.entries(treeIn(tree['packages'])).flatMap(([path, entry]) => {
      // Deeper ones are those of other packages.
      const name = /^(?:(?!.*node_modules\/.*node_modules\/).*\/)?node_modules\/(.+)$/u.exec(path)?.[1];
      return name === undefined ? [] : [[name, entry] as const];
    }),
    ...(tree['packages'] === undefined ? Object.entries(treeIn(tree['dependencies'])) : []),
  ];
  return entries.flatMap(([name, entry]) => locked(file, name, stringIn(treeIn(entry)['version'])));
}

/** Both are texts of lines in which a package stands as `name@version` or above its `version`. */
function lockedByOthers(file: string, text: string): Dependency[] {
  const pattern =
    baseOf(file) === 'yarn.lock'
      ? /^"?(@?[^@\s"]+)@[^\n]*:\n\s+"?version"?:?\s+"?([^"\s]+)/gmu
      : /^\s+'?\/?(@?[^@\s'/]+(?:\/[^@\s'/]+)?)[@/](\d[^\s:'(_]*)[^\n]*:\s*$/gmu;
  return [...text.matchAll(pattern)].flatMap(([, name, version]) => locked(file, name ?? '', version));
}

const locked = (file: string, name: string, version: string | undefined): Dependency[] =>
  version === undefined || !/^\d/u.test(version)
    ? []
    : [{ ecosystem: 'npm', name, file, kind: 'locked', range: version, place: undefined }];
