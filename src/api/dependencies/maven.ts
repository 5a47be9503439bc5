/**
 * Dependencies of Maven's kind: poms with properties, management and parents that lie in the repository, and Gradle
 * scripts of both languages with version catalogs. A Gradle script is a program, which nobody runs: only what stands
 * in it as coordinates is read.
 */
import { folderOf } from '../../base/paths.js';
import { listIn, startOf, stringIn, toml, treeIn, xml, type Tree } from '../parsed.js';
import {
  blanked,
  called,
  escaped,
  foldersUp,
  placeIn,
  type Dependency,
  type ManifestTexts,
  type Place,
} from './dependency.js';

export const MAVEN_FILES =
  /^(?:pom\.xml|[\w.-]+\.gradle(?:\.kts)?|gradle\.properties|[\w.-]+\.versions\.toml|gradle\.lockfile)$/u;

interface WrittenVersion {
  readonly range: string;
  readonly place: Place | undefined;
}

interface Pom {
  /** Without comments, which leave blanks. */
  readonly text: string;
  readonly project: Tree;
}

type Poms = (path: string) => Pom;

/** Each is parsed once, however many poms below it look for a property in it. */
function pomsOf(texts: ManifestTexts): Poms {
  const known = new Map<string, Pom>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const text = blanked(texts.get(path) ?? '', /<!--[^]*?-->/gu);
    const pom = { text, project: treeIn(xml(text)['project']) };
    known.set(path, pom);
    return pom;
  };
}

export function mavenDependencies(texts: ManifestTexts): Dependency[] {
  const read = pomsOf(texts);
  const poms = called(texts, /^pom\.xml$/u).flatMap(([file]) => inPom(file, read));
  const scripts = called(texts, /\.gradle(?:\.kts)?$/u).flatMap(([file, text]) => inScript(file, text, texts));
  const catalogs = called(texts, /\.versions\.toml$/u).flatMap(([file, text]) => inCatalog(file, text));
  const locks = called(texts, /^gradle\.lockfile$/u).flatMap(([file, text]) =>
    [...text.matchAll(/^([\w.-]+:[\w.-]+):([^=\s]+)=/gmu)].map(([, name = '', range]): Dependency => ({
      ecosystem: 'maven',
      name,
      file,
      kind: 'locked',
      range,
      place: undefined,
    })),
  );
  return [...managed(poms), ...managed([...scripts, ...catalogs]), ...locks];
}

/** One without a version takes that of the entry that manages it, which is listed by itself. */
function managed(found: readonly Dependency[]): Dependency[] {
  const said = new Set(found.filter(({ range }) => range !== undefined).map(({ name }) => name));
  return found.filter(({ name, range }) => range !== undefined || !said.has(name));
}

const OUTSIDE = 'its version is said by a parent or a platform outside of the repository';

function inPom(file: string, read: Poms): Dependency[] {
  const { text, project } = read(file);
  const profiles = listIn(treeIn(project['profiles'])['profile']).map(treeIn);
  const build = treeIn(project['build']);
  const plugins = [build, treeIn(build['pluginManagement'])].flatMap((each) =>
    listIn(treeIn(each['plugins'])['plugin']),
  );
  const entries = [project, ...profiles].flatMap((each) => [
    ...listIn(treeIn(each['dependencies'])['dependency']),
    ...listIn(treeIn(treeIn(each['dependencyManagement'])['dependencies'])['dependency']),
  ]);
  return [
    ...listIn(project['parent']).flatMap((entry) => ofEntry(entry, 'parent')),
    ...entries.flatMap((entry) => ofEntry(entry, 'dependency')),
    ...plugins.flatMap((entry) => [
      ...ofEntry(entry, 'plugin'),
      ...listIn(treeIn(treeIn(entry)['dependencies'])['dependency']).flatMap((inner) => ofEntry(inner, 'dependency')),
    ]),
  ];

  function ofEntry(entry: unknown, tag: string): Dependency[] {
    const tree = treeIn(entry);
    const artifact = stringIn(tree['artifactId']);
    const group = stringIn(tree['groupId']) ?? (tag === 'plugin' ? 'org.apache.maven.plugins' : undefined);
    if (artifact === undefined || group === undefined) return [];
    const common = {
      ecosystem: 'maven',
      name: `${filled(group)}:${filled(artifact)}`,
      file,
      kind: 'declared',
    } as const;
    const version = stringIn(tree['version']);
    if (version === undefined) return [{ ...common, range: undefined, place: undefined, why: OUTSIDE }];
    const property = /^\$\{([^}]+)\}$/u.exec(version)?.[1];
    if (property !== undefined) return [{ ...common, ...ofProperty(property) }];
    if (version.includes('${'))
      return [{ ...common, range: undefined, place: undefined, why: `its version is ${version}` }];
    const start = startOf(entry) ?? 0;
    return [{ ...common, range: version, place: placeIn(file, text, inTag('version', version), start) }];
  }

  function filled(name: string): string {
    return name
      .replace(/\$\{(?:project|pom)\.groupId\}/gu, groupOf(project))
      .replace(/\$\{([^}]+)\}/gu, (whole, key: string) => {
        const { range } = ofProperty(key);
        return range ?? whole;
      });
  }

  function ofProperty(name: string): Pick<Dependency, 'range' | 'place' | 'why'> {
    if (/^(?:project|pom)\.(?:parent\.)?version$/u.test(name))
      return { range: undefined, place: undefined, why: 'it has the version of the repository itself' };
    const found = propertyNear(file, name, read);
    return found ?? { range: undefined, place: undefined, why: `nothing in the repository says \${${name}}` };
  }
}

const groupOf = (project: Tree): string =>
  stringIn(project['groupId']) ?? stringIn(treeIn(project['parent'])['groupId']) ?? '';

const inTag = (tag: string, value: string): RegExp =>
  new RegExp(`<${escaped(tag)}>\\s*(?<at>${escaped(value)})\\s*<`, 'u');

/** In the pom itself, else in those of the folders above. */
function propertyNear(file: string, name: string, read: Poms): WrittenVersion | undefined {
  for (const folder of foldersUp(file)) {
    const path = folder === '' ? 'pom.xml' : `${folder}/pom.xml`;
    const { text, project } = read(path);
    const owners = [project, ...listIn(treeIn(project['profiles'])['profile']).map(treeIn)];
    const range = owners
      .map((owner) => stringIn(treeIn(owner['properties'])[name]))
      .find((value) => value !== undefined);
    if (range !== undefined)
      return { range, place: placeIn(path, text, inTag(name, range), text.indexOf('<properties>')) };
  }
  return undefined;
}

/** Comments; an address in quotes is none. */
const COMMENTS = /\/\*[^]*?\*\/|(?<![:"'])\/\/[^\n]*/gu;
const COORDINATES = /(["'])([\w.-]+):([\w.-]+):(?<version>[^"':@\s]+)(?:[:@][\w.-]+)*\1/du;
const NAMED = new RegExp(
  `group\\s*[:=]\\s*(["'])([\\w.-]+)\\1\\s*,\\s*name\\s*[:=]\\s*(["'])([\\w.-]+)\\3` +
    `(?:\\s*,\\s*version\\s*[:=]\\s*(["'])(?<version>[^"']+)\\5)?`,
  'du',
);
const WITHOUT_VERSION = /(["'])([\w.-]+):([\w.-]+)\1/u;

function inScript(file: string, original: string, texts: ManifestTexts): Dependency[] {
  const text = blanked(original, COMMENTS);
  const found = (pattern: RegExp): RegExpExecArray[] => [...text.matchAll(new RegExp(pattern.source, 'dgu'))];
  return [
    ...found(COORDINATES).map((match) => ofMatch(match, `${match[2]}:${match[3]}`)),
    ...found(NAMED).map((match) => ofMatch(match, `${match[2]}:${match[4]}`)),
    ...found(WITHOUT_VERSION).map((match): Dependency => ({
      ecosystem: 'maven',
      name: `${match[2]}:${match[3]}`,
      file,
      kind: 'declared',
      range: undefined,
      place: undefined,
      why: OUTSIDE,
    })),
  ];

  function ofMatch(match: RegExpExecArray, name: string): Dependency {
    const common = { ecosystem: 'maven', name, file, kind: 'declared' } as const;
    const span = match.indices?.groups?.['version'];
    const version = match.groups?.['version'];
    if (version === undefined || span === undefined)
      return { ...common, range: undefined, place: undefined, why: OUTSIDE };
    const variable = /^\$\{?([\w.]+)\}?$/u.exec(version)?.[1];
    if (variable !== undefined) {
      const said = variableNear(file, variable.replace(/^.*\./u, ''), texts);
      return { ...common, ...(said ?? { range: undefined, place: undefined, why: `nothing says $${variable}` }) };
    }
    if (version.includes('$'))
      return { ...common, range: undefined, place: undefined, why: `its version is ${version}` };
    return { ...common, range: version, place: { file, start: span[0], end: span[1] } };
  }
}

/** In the script itself, else in those and the properties of the folders above. */
function variableNear(file: string, name: string, texts: ManifestTexts): WrittenVersion | undefined {
  const folders = foldersUp(file);
  const near = [...texts.keys()]
    .filter((path) => /\.gradle(?:\.kts)?$|(?:^|\/)gradle\.properties$/u.test(path) && folders.includes(folderOf(path)))
    .sort((a, b) => Number(b === file) - Number(a === file) || b.length - a.length);
  for (const path of near) {
    const text = blanked(texts.get(path) ?? '', COMMENTS);
    const pattern = path.endsWith('.properties')
      ? new RegExp(`^\\s*${escaped(name)}\\s*[=:]\\s*(?<at>[^\\s#]+)`, 'mu')
      : new RegExp(`\\b${escaped(name)}["']?\\s*(?:\\]\\s*)?(?:=|,|:|by extra\\()\\s*(["'])(?<at>[^"'$]+)\\1`, 'u');
    const place = placeIn(path, text, pattern);
    if (place !== undefined) return { range: text.slice(place.start, place.end), place };
  }
  return undefined;
}

function inCatalog(file: string, text: string): Dependency[] {
  const tree = toml(text);
  const versions = treeIn(tree['versions']);
  return [...Object.entries(treeIn(tree['libraries'])), ...Object.entries(treeIn(tree['plugins']))].flatMap(
    ([key, value]): Dependency[] => {
      const entry = treeIn(value);
      const [group, artifact, short] = (stringIn(value) ?? stringIn(entry['module']) ?? '').split(':');
      const name = `${stringIn(entry['group']) ?? group ?? ''}:${stringIn(entry['name']) ?? artifact ?? ''}`;
      if (name.startsWith(':') || name.endsWith(':')) return [];
      const common = { ecosystem: 'maven', name, file, kind: 'declared' } as const;
      const reference = stringIn(treeIn(entry['version'])['ref']);
      const range = reference === undefined ? (short ?? stringIn(entry['version'])) : stringIn(versions[reference]);
      if (range === undefined) return [{ ...common, range: undefined, place: undefined, why: OUTSIDE }];
      const line = `^\\s*["']?${escaped(reference ?? key)}["']?\\s*=[^\\n]*["':](?<at>${escaped(range)})["']`;
      return [{ ...common, range, place: placeIn(file, text, new RegExp(line, 'mu')) }];
    },
  );
}
