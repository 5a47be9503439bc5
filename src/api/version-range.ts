/**
 * Ranges of versions, as the manifests of each ecosystem write them: what they admit, and how the same
 * kind of range is written for a newer version.
 *
 * npm and Python by libraries that know their rules; Maven, Gradle and NuGet share brackets and differ
 * in what a bare version means. What cannot be read is undefined, and told as unknown by who asked.
 */
import {
  compare as comparePep440,
  explain,
  satisfies as satisfiesPep440,
  valid,
  validRange,
} from '@renovatebot/pep440';
import semver from 'semver';
import type { Ecosystem } from './manifests.js';

export interface Range {
  /** The lowest version that fits: what is used where nothing else is said. Undefined: there is none. */
  readonly least: string | undefined;
  /** Only one version fits, or is meant. */
  readonly isExact: boolean;
  admits(version: string): boolean;
}

interface Versions {
  /** Negative where `a` is older; undefined where one of them is no version. */
  compare(a: string, b: string): number | undefined;
  read(range: string): Range | undefined;
  /** The range in the same style around `to`; undefined where its style says more than one can guess. */
  moved(range: string, to: string): string | undefined;
}

export const versionsOf = (ecosystem: Ecosystem): Versions => VERSIONS[ecosystem];

/** Placeholders that are written over when a package is published. */
export const isPlaceholder = (version: string): boolean => /^0\.0\.0(?:[-.+]|$)|development|\$\{|\$\(/u.test(version);

// ---- npm

const NPM_LOOSE = { includePrerelease: true, loose: true } as const;

const npm: Versions = {
  compare: (a, b) => {
    const [x, y] = [semver.coerce(a, NPM_LOOSE), semver.coerce(b, NPM_LOOSE)];
    return x === null || y === null ? undefined : semver.compare(x, y);
  },
  read: (text) => {
    if (semver.validRange(text, NPM_LOOSE) === null) return undefined;
    const least = semver.minVersion(text, { loose: true })?.version;
    return {
      least: least === '0.0.0' ? undefined : least,
      isExact: semver.valid(text.trim().replace(/^=\s*/u, ''), true) !== null,
      admits: (version) => semver.satisfies(semver.coerce(version, NPM_LOOSE) ?? version, text, NPM_LOOSE),
    };
  },
  moved: (text, to) => {
    const alternatives = text.split('||').map((each) => each.trim());
    if (alternatives.length > 1)
      return alternatives.every((each) => /^[~^]/u.test(each)) ? npm.moved(alternatives.at(-1) ?? '', to) : undefined;
    const [, operator = '', version = ''] = /^(\^|~|=|>=|v|)\s*(\d[\w.*+-]*)$/u.exec(text.trim()) ?? [];
    return version === '' ? undefined : `${operator}${inStyleOf(version, to)}`;
  },
};

/** `to` with as many parts as `version` has, and with its stars: 1.x is 2.x, and 1.2 is 2.0. */
function inStyleOf(version: string, to: string): string {
  const parts = version.split(/[-+]/u)[0]?.split('.') ?? [];
  const release = /^v?([\d.]+)/u.exec(to)?.[1]?.split('.') ?? [];
  const star = parts.findIndex((part) => /^[xX*]$/u.test(part));
  if (star === -1 && parts.length >= release.length) return to.replace(/^v/u, '');
  if (star === -1 && release.length !== to.replace(/^v/u, '').split('.').length) return to.replace(/^v/u, '');
  return parts.map((part, i) => (star !== -1 && i >= star ? part : (release[i] ?? '0'))).join('.');
}

// ---- Python

/** Carets and tildes of Poetry in words of PEP 440; a bare version is that one. */
function specifierOf(text: string): string {
  return text
    .split(',')
    .map((part) => {
      const [, operator = '', version = ''] = /^\s*(\^|~(?!=)|)\s*(\d[\w.*!+-]*)\s*$/u.exec(part) ?? [];
      if (version === '') return part.trim();
      if (operator === '') return `==${version}`;
      const release = version.split('.').map(Number);
      const firstSet = release.findIndex((number) => number > 0);
      const bumped =
        operator === '~' ? Math.min(1, release.length - 1) : firstSet === -1 ? release.length - 1 : firstSet;
      const above = [...release.slice(0, bumped), (release[bumped] ?? 0) + 1].join('.');
      return `>=${version},<${above}`;
    })
    .filter((part) => part !== '' && part !== '*')
    .join(',');
}

const python: Versions = {
  compare: (a, b) => (valid(a) === null || valid(b) === null ? undefined : comparePep440(a, b)),
  read: (text) => {
    const specifier = specifierOf(text);
    if (specifier !== '' && !validRange(specifier)) return undefined;
    const parts = specifier.split(',').map((part) => /^(===|==|~=|>=|<=|>|<|!=)\s*(.*)$/u.exec(part.trim()));
    const floors = parts.flatMap((part) =>
      /^(?:===?|~=|>=|>)$/u.test(part?.[1] ?? '') ? [(part?.[2] ?? '').replace(/\.\*$/u, '')] : [],
    );
    return {
      least: floors.sort((a, b) => python.compare(a, b) ?? 0).at(-1),
      isExact: parts.some((part) => /^===?$/u.test(part?.[1] ?? '') && part?.[2]?.endsWith('*') === false),
      admits: (version) => specifier === '' || satisfiesPep440(version, specifier, { prereleases: true }),
    };
  },
  moved: (text, to) => {
    const parts = text.split(',').map((part) => /^(\s*)(===?|~=|>=|<|\^|~|)(\s*)(\d[\w.*!+-]*)(\s*)$/u.exec(part));
    if (parts.some((part) => part === null)) return undefined;
    const operators = parts.map((part) => part?.[2]);
    if (operators.filter((each) => each !== '<').length !== 1) return undefined;
    return parts
      .map((part) => {
        const [, before = '', operator = '', gap = '', version = '', behind = ''] = part ?? [];
        const now = operator === '<' ? nextAbove(version, to) : starred(version, to);
        return `${before}${operator}${gap}${now}${behind}`;
      })
      .join(',');
  },
};

const starred = (version: string, to: string): string => (version.endsWith('*') ? inStyleOf(version, to) : to);

/** An upper bound of the kind that `bound` is: what it bumped is bumped of `to`. */
function nextAbove(bound: string, to: string): string {
  const parts = bound.split('.').map(Number);
  const release = (explain(to)?.release ?? to.split('.').map(Number)) as readonly number[];
  const bumped = Math.max(
    0,
    parts.findLastIndex((part) => part > 0),
  );
  return parts.map((_, i) => (i < bumped ? (release[i] ?? 0) : i === bumped ? (release[i] ?? 0) + 1 : 0)).join('.');
}

// ---- Maven, Gradle and NuGet

/** Qualifiers that come before the release, in Maven's order. */
const BEFORE_RELEASE = ['alpha', 'a', 'beta', 'b', 'milestone', 'm', 'preview', 'pre', 'rc', 'cr', 'snapshot'];
const RELEASE = ['', 'ga', 'final', 'release', 'jre', 'android'];

function compareDotted(a: string, b: string, isQualifiedOlder: boolean): number | undefined {
  if (!/^v?\d/u.test(a) || !/^v?\d/u.test(b)) return undefined;
  const [x, y] = [a, b].map((each) =>
    each
      .toLowerCase()
      .replace(/^v/u, '')
      .split('+')[0]
      ?.split(/[.-]|(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)/u),
  ) as [string[], string[]];
  for (let i = 0; i < Math.max(x.length, y.length); i++) {
    const order = rankOf(x[i], isQualifiedOlder) - rankOf(y[i], isQualifiedOlder);
    if (order !== 0) return order;
  }
  return 0;
}

/** A missing part is as a zero and as the release itself. */
function rankOf(part: string | undefined, isQualifiedOlder: boolean): number {
  if (part === undefined || RELEASE.includes(part)) return 0;
  if (/^\d+$/u.test(part)) return Number(part);
  const known = BEFORE_RELEASE.indexOf(part);
  return known !== -1 ? (known - BEFORE_RELEASE.length) / 100 : isQualifiedOlder ? -0.005 : 0.005;
}

const BRACKETS = /([[(])\s*([^,[\]()]*?)\s*(?:(,)\s*([^,[\]()]*?)\s*)?([\])])/gu;

/** `isLeast`: a bare version is the lowest that fits, and what is used. */
function dotted(isQualifiedOlder: boolean): Versions {
  const compare = (a: string, b: string): number | undefined => compareDotted(a, b, isQualifiedOlder);
  return {
    compare,
    read: (text) => {
      const bare = text.trim().replace(/!!$/u, '');
      if (/^v?\d[\w.+-]*$/u.test(bare) && !bare.endsWith('+'))
        return { least: bare, isExact: true, admits: (version) => compare(version, bare) === 0 };
      const floating = /^(\d[\d.]*?)\.?(?:\*|\+)$/u.exec(bare)?.[1];
      if (floating !== undefined)
        return {
          least: floating,
          isExact: false,
          admits: (version) => version === floating || version.startsWith(`${floating}.`),
        };
      if (bare === '*' || bare === '+') return { least: undefined, isExact: false, admits: () => true };
      return bracketed(bare, compare);
    },
    moved: (text, to) => {
      const bare = text.trim();
      if (/^v?\d[\w.-]*$/u.test(bare)) return to;
      if (/^\d[\d.]*\.(?:\*|\+)$/u.test(bare))
        return bare
          .split('.')
          .map((part, i) => (/^\d+$/u.test(part) ? (to.split('.')[i] ?? '0') : part))
          .join('.');
      return /^\[\s*[^,\]]+\s*\]$/u.test(bare) ? `[${to}]` : undefined;
    },
  };
}

function bracketed(text: string, compare: Versions['compare']): Range | undefined {
  const parts = [...text.matchAll(BRACKETS)];
  if (parts.length === 0 || text.replace(BRACKETS, '').replace(/[\s,]/gu, '') !== '') return undefined;
  const isIn = (version: string, [, open, low = '', comma, high = '', close]: RegExpMatchArray): boolean => {
    if (comma === undefined) return compare(version, low) === 0;
    const [above, below] = [low === '' ? 1 : compare(version, low), high === '' ? -1 : compare(version, high)];
    if (above === undefined || below === undefined) return false;
    return (open === '[' ? above >= 0 : above > 0) && (close === ']' ? below <= 0 : below < 0);
  };
  const least = parts.map((part) => part[2] ?? '').find((low) => low !== '');
  return {
    least,
    isExact: parts.length === 1 && parts[0]?.[3] === undefined,
    admits: (version) => parts.some((part) => isIn(version, part)),
  };
}

const VERSIONS: Readonly<Record<Ecosystem, Versions>> = {
  npm,
  pypi: python,
  maven: dotted(false),
  nuget: dotted(true),
};
