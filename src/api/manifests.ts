/**
 * Which packages a folder is published as, by their manifests: one row an ecosystem.
 *
 * Manifests are a repository's own texts: what cannot be read says nothing, and nothing of them is run.
 */
import type { LanguageId } from '../syntax/summary.js';
import { json, listIn, stringIn, toml, treeIn, xml, type Tree } from './parsed.js';

export type Ecosystem = 'npm' | 'pypi' | 'maven' | 'nuget';

export interface Package {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string | undefined;
}

interface Manifest {
  readonly ecosystem: Ecosystem;
  readonly language: LanguageId;
  /** Base names, or endings with a star in front. */
  readonly names: readonly string[];
  /** Undefined for one that publishes nothing, or cannot be read. `stem`: the file's base name without its ending. */
  readonly read: (text: string, stem: string) => Omit<Package, 'ecosystem'> | undefined;
}

export const MANIFESTS: readonly Manifest[] = [
  { ecosystem: 'npm', language: 'typescript', names: ['package.json'], read: (text) => named(json(text)) },
  { ecosystem: 'pypi', language: 'python', names: ['pyproject.toml'], read: readPyproject },
  { ecosystem: 'pypi', language: 'python', names: ['setup.cfg'], read: readSetupCfg },
  { ecosystem: 'maven', language: 'java', names: ['pom.xml'], read: readPom },
  { ecosystem: 'nuget', language: 'csharp', names: ['*.csproj'], read: readProject },
];

function named(tree: Tree): Omit<Package, 'ecosystem'> | undefined {
  const name = stringIn(tree['name']);
  return name === undefined ? undefined : { name, version: stringIn(tree['version']) };
}

function readPyproject(text: string): Omit<Package, 'ecosystem'> | undefined {
  const tree = toml(text);
  return named(treeIn(tree['project'])) ?? named(treeIn(treeIn(tree['tool'])['poetry']));
}

function readSetupCfg(text: string): Omit<Package, 'ecosystem'> | undefined {
  const section = /^\[metadata\]\s*$([^]*?)(?=^\[|$(?![^]))/mu.exec(text)?.[1] ?? '';
  const of = (key: string): string | undefined =>
    stringIn(new RegExp(`^${key}\\s*=\\s*([^\\s:]+)\\s*$`, 'mu').exec(section)?.[1]);
  return named({ name: of('name'), version: of('version') });
}

function readPom(text: string): Omit<Package, 'ecosystem'> | undefined {
  const project = treeIn(xml(text)['project']);
  const parent = treeIn(project['parent']);
  const artifact = stringIn(project['artifactId']);
  const group = stringIn(project['groupId']) ?? stringIn(parent['groupId']);
  const version = stringIn(project['version']) ?? stringIn(parent['version']);
  return artifact === undefined || group === undefined
    ? undefined
    : { name: `${group}:${artifact}`, version: version?.includes('${') === true ? undefined : version };
}

function readProject(text: string, stem: string): Omit<Package, 'ecosystem'> | undefined {
  const project = treeIn(xml(text)['Project']);
  const groups = listIn(project['PropertyGroup']);
  const of = (key: string): string | undefined => {
    const value = groups.map((group) => stringIn(treeIn(group)[key])).find((found) => found !== undefined);
    return value?.includes('$(') === true ? undefined : value;
  };
  return { name: of('PackageId') ?? of('AssemblyName') ?? stem, version: of('Version') ?? of('VersionPrefix') };
}

/** What the manifests among these texts publish, each once. */
export function publishedIn(texts: ReadonlyMap<string, string>): Package[] {
  const out = new Map<string, Package>();
  for (const [path, text] of texts) {
    const base = path.slice(path.lastIndexOf('/') + 1);
    for (const { ecosystem, names, read } of MANIFESTS) {
      if (!names.some((name) => (name.startsWith('*') ? base.endsWith(name.slice(1)) : base === name))) continue;
      const found = read(text, base.replace(/\.\w+$/u, ''));
      if (found !== undefined) out.set(`${ecosystem} ${found.name}`, { ecosystem, ...found });
    }
  }
  return [...out.values()];
}
