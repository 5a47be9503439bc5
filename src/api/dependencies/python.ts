/**
 * Dependencies of Python's kind: pyproject.toml (PEP 621, PEP 735, Poetry, uv, PDM, Flit), requirements files,
 * setup.cfg, the texts in setup.py, Pipfile, and the lock files of Poetry, uv, PDM and pipenv.
 */
import { json, listIn, stringIn, toml, treeIn, type Tree } from '../parsed.js';
import { called, canonicalName, escaped, placeIn, type Dependency, type ManifestTexts } from './dependency.js';

export const PYTHON_FILES = new RegExp(
  '^(?:pyproject\\.toml|setup\\.cfg|setup\\.py|Pipfile|Pipfile\\.lock|poetry\\.lock|uv\\.lock|pdm\\.lock' +
    '|[\\w.-]*(?:requirements|constraints)[\\w.-]*\\.(?:txt|in)|requirements/[\\w.-]+\\.(?:txt|in))$',
  'u',
);

/** `name[extras] specifier ; marker`, or `name @ address`. */
const REQUIREMENT = new RegExp(
  '^\\s*(?<name>[A-Za-z0-9][\\w.-]*)\\s*(?:\\[[^\\]]*\\])?\\s*' +
    '(?:@\\s*(?<address>\\S+)|\\(?(?<range>(?:===?|~=|>=|<=|!=|>|<)[^;#)]*?)?\\)?)\\s*(?:;.*)?$',
  'u',
);

export function pythonDependencies(texts: ManifestTexts): Dependency[] {
  return [
    ...called(texts, /^pyproject\.toml$/u).flatMap(([file, text]) => inPyproject(file, text)),
    ...called(texts, /^Pipfile$/u).flatMap(([file, text]) =>
      ['packages', 'dev-packages'].flatMap((key) => ofTable(file, text, treeIn(toml(text)[key]))),
    ),
    ...called(texts, /(?:requirements|constraints).*\.(?:txt|in)$/u).flatMap(([file, text]) => inLines(file, text)),
    ...called(texts, /^setup\.cfg$/u).flatMap(([file, text]) => inSetupCfg(file, text)),
    ...called(texts, /^setup\.py$/u).flatMap(([file, text]) => inSetupPy(file, text)),
    ...called(texts, /^(?:poetry|uv|pdm)\.lock$/u).flatMap(([file, text]) =>
      listIn(toml(text)['package']).flatMap((entry) =>
        lockedAs(file, stringIn(treeIn(entry)['name']), stringIn(treeIn(entry)['version'])),
      ),
    ),
    ...called(texts, /^Pipfile\.lock$/u).flatMap(([file, text]) =>
      ['default', 'develop'].flatMap((key) =>
        Object.entries(treeIn(json(text)[key])).flatMap(([name, entry]) =>
          lockedAs(file, name, stringIn(treeIn(entry)['version'])?.replace(/^==/u, '')),
        ),
      ),
    ),
  ];
}

const lockedAs = (file: string, name: string | undefined, version: string | undefined): Dependency[] =>
  name === undefined || version === undefined
    ? []
    : [{ ...dependency(file, name), kind: 'locked', range: version, place: undefined }];

const dependency = (
  file: string,
  name: string,
): Pick<Dependency, 'ecosystem' | 'name' | 'file'> & { kind: 'declared' } => ({
  ecosystem: 'pypi',
  name: canonicalName('pypi', name),
  file,
  kind: 'declared',
});

function inPyproject(file: string, text: string): Dependency[] {
  const tree = toml(text);
  const project = treeIn(tree['project']);
  const tool = treeIn(tree['tool']);
  const flit = treeIn(treeIn(tool['flit'])['metadata']);
  const lists = [
    flit['requires'],
    ...Object.values(treeIn(flit['requires-extra'])),
    project['dependencies'],
    ...Object.values(treeIn(project['optional-dependencies'])),
    ...Object.values(treeIn(tree['dependency-groups'])),
    treeIn(tool['uv'])['dev-dependencies'],
    ...Object.values(treeIn(treeIn(tool['pdm'])['dev-dependencies'])),
  ];
  const poetry = treeIn(tool['poetry']);
  const tables = [
    poetry['dependencies'],
    poetry['dev-dependencies'],
    ...Object.values(treeIn(poetry['group'])).map((group) => treeIn(group)['dependencies']),
  ];
  return [
    ...lists.flatMap((list) => listIn(list).flatMap((entry) => ofRequirement(file, text, stringIn(entry), `["']`))),
    ...tables.flatMap((table) => ofTable(file, text, treeIn(table))),
  ];
}

/** `quote`: what stands around the requirement in the text, as a pattern. */
function ofRequirement(file: string, text: string, written: string | undefined, quote: string): Dependency[] {
  const { name, range, address } = REQUIREMENT.exec(written ?? '')?.groups ?? {};
  if (written === undefined || name === undefined) return [];
  const common = dependency(file, name);
  if (address !== undefined)
    return [{ ...common, range: undefined, place: undefined, why: 'it is taken from an address' }];
  if (range === undefined) return [{ ...common, range: '', place: undefined }];
  const at = written.indexOf(range, name.length);
  const pattern = `${quote}${escaped(written.slice(0, at))}(?<at>${escaped(range.trimEnd())})`;
  return [{ ...common, range: range.trim(), place: placeIn(file, text, new RegExp(pattern, 'u')) }];
}

/** Tables of Poetry's kind: a version, or a table with one. */
function ofTable(file: string, text: string, table: Tree): Dependency[] {
  return Object.entries(table).flatMap(([name, value]): Dependency[] => {
    if (name === 'python') return [];
    const common = dependency(file, name);
    const range = stringIn(value) ?? stringIn(treeIn(value)['version']);
    if (range === undefined)
      return [{ ...common, range: undefined, place: undefined, why: 'it is taken from an address or a folder' }];
    const quoted = `["'](?<at>${escaped(range)})["']`;
    const key = `^\\s*["']?${escaped(name)}["']?\\s*=\\s*`;
    const pattern = new RegExp(`${key}(?:\\{[^}\\n]*\\bversion\\s*=\\s*)?${quoted}`, 'mu');
    return [{ ...common, range, place: placeIn(file, text, pattern) }];
  });
}

function inLines(file: string, text: string): Dependency[] {
  return text.split('\n').flatMap((line) => {
    const written = line
      .replace(/\s+#.*$|^\s*#.*$/u, '')
      .replace(/\s+(?:--|\\).*$/u, '')
      .trim();
    if (written === '' || written.startsWith('-')) return [];
    const isHashed = /--hash|\\\s*$/u.test(line);
    return ofRequirement(file, text, written, '^\\s*').map((found) => {
      if (found.range === undefined || found.range === '') return found;
      if (isHashed) return { ...found, place: undefined, why: 'its line holds hashes, which a tool writes' };
      const head = written.slice(0, written.indexOf(found.range));
      return {
        ...found,
        place: placeIn(file, text, new RegExp(`^[ \\t]*${escaped(head)}(?<at>${escaped(found.range)})`, 'mu')),
      };
    });
  });
}

function inSetupCfg(file: string, text: string): Dependency[] {
  const sections = [
    ...text.matchAll(/^(?:install_requires|setup_requires|tests_require|[\w-]+)\s*=\s*((?:\n?[ \t]+\S[^\n]*)+)/gmu),
  ];
  return sections.flatMap(([, body = '']) =>
    body
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && /[<>=~!]=|^[\w.-]+$/u.test(line))
      .flatMap((line) => ofRequirement(file, text, line, '^[ \\t]*').map((found) => withLine(found, file, text, line))),
  );
}

function withLine(found: Dependency, file: string, text: string, line: string): Dependency {
  if (found.range === undefined || found.range === '') return found;
  const head = escaped(line.slice(0, line.indexOf(found.range)));
  return { ...found, place: placeIn(file, text, new RegExp(`${head}(?<at>${escaped(found.range)})`, 'u')) };
}

/** A program, which nobody runs: what is written in it as a requirement, in quotes, is taken for one. */
function inSetupPy(file: string, text: string): Dependency[] {
  return [...text.matchAll(/(["'])([A-Za-z0-9][\w.-]*(?:\[[^\]]*\])?\s*(?:===?|~=|>=|<=|!=|>|<)[^"'\n]*)\1/gu)].flatMap(
    ([, , written]) => ofRequirement(file, text, written, `["']`),
  );
}
