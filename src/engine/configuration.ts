/**
 * The settings that hold: the person's file, the repository's, and an editor's, one on top of the
 * other, over the defaults.
 *
 * A repository's sections that can run commands, send code or cost money count only when it is
 * trusted (protocol/configuration.ts names them); untrusted ones are left out and named, so that
 * somebody can say so. Lists that exclude are joined; those that withhold are tried each on its own, so no layer takes
 * another's back.
 */
import {
  TRUSTED_SECTIONS,
  type ConfigurationFile,
  type LimitsSection,
  type ModelSection,
  type OracleSection,
} from '#protocol/configuration.js';
import { NEVER_SENT } from '../context/no-send.js';

type Given<T> = { readonly [K in keyof T]-?: Exclude<T[K], undefined> };

export interface Configuration {
  readonly exclude: readonly string[];
  readonly strict: boolean;
  readonly values: Readonly<Record<string, string>>;
  /** Lists of patterns, each to be tried on its own: only the person's file can take back what is built in. */
  readonly noSend: readonly (readonly string[])[];
  readonly model: ModelSection;
  readonly oracle: OracleSection | undefined;
  readonly languageServer: NonNullable<ConfigurationFile['languageServer']>;
  readonly limits: LimitsSection;
  readonly hints: Given<NonNullable<ConfigurationFile['hints']>>;
  readonly daemon: Given<NonNullable<ConfigurationFile['daemon']>>;
}

export interface ConfigurationLayers {
  readonly person: ConfigurationFile;
  readonly repository: ConfigurationFile;
  readonly repositoryTrusted: boolean;
  readonly editor: ConfigurationFile;
}

export interface Configured {
  readonly configuration: Configuration;
  /** Sections of the repository's file that do not count, for want of trust. */
  readonly ignored: readonly TrustedSection[];
}

export type TrustedSection = (typeof TRUSTED_SECTIONS)[number];
export type TrustedSections = Partial<Pick<ConfigurationFile, TrustedSection>>;

export function configurationOf(layers: ConfigurationLayers): Configured {
  const ignored = layers.repositoryTrusted
    ? []
    : TRUSTED_SECTIONS.filter((section) => layers.repository[section] !== undefined);
  const files = [layers.person, without(layers.repository, ignored), layers.editor];
  const last = <K extends keyof ConfigurationFile>(key: K): ConfigurationFile[K] =>
    files.findLast((file) => file[key] !== undefined)?.[key];
  return {
    ignored,
    configuration: {
      exclude: files.flatMap((file) => file.exclude ?? []),
      strict: last('strict') ?? false,
      values: Object.assign({}, ...files.map((file) => file.values)) as Record<string, string>,
      noSend: [
        [...NEVER_SENT, ...(layers.person.noSend ?? [])],
        layers.repository.noSend ?? [],
        layers.editor.noSend ?? [],
      ],
      model: Object.assign({}, ...files.map((file) => file.model)) as ModelSection,
      oracle: last('oracle'),
      languageServer: Object.assign({}, ...files.map((file) => file.languageServer)) as Configuration['languageServer'],
      limits: Object.assign({}, ...files.map((file) => file.limits)) as LimitsSection,
      hints: merged<Configuration['hints']>(
        { enabled: true, perFileMost: 50, codeLens: true },
        files.map((file) => file.hints),
      ),
      daemon: merged(
        { idleMinutes: 10 },
        files.map((file) => file.daemon),
      ),
    },
  };
}

/** The part of a repository's file that needs trust; undefined if there is none. */
export function sectionsToTrust(file: ConfigurationFile): TrustedSections | undefined {
  const named = TRUSTED_SECTIONS.filter((section) => file[section] !== undefined);
  return named.length === 0 ? undefined : Object.fromEntries(named.map((section) => [section, file[section]]));
}

/** One clear line for what is ignored; undefined when nothing is. */
export function ignoredLine(fileName: string, ignored: readonly TrustedSection[]): string | undefined {
  if (ignored.length === 0) return undefined;
  return (
    `the ${ignored.length === 1 ? 'section' : 'sections'} ${ignored.join(', ')} of ${fileName} ` +
    `${ignored.length === 1 ? 'is' : 'are'} ignored until you trust this repository: run "codeplan trust" to ` +
    `see and allow ${ignored.length === 1 ? 'it' : 'them'}`
  );
}

function without(file: ConfigurationFile, sections: readonly TrustedSection[]): ConfigurationFile {
  return Object.fromEntries(Object.entries(file).filter(([key]) => !sections.some((section) => section === key)));
}

/** The defaults under what the layers give, the last layer first; a field given as undefined is not given. */
function merged<T extends object>(
  defaults: T,
  layers: readonly ({ readonly [K in keyof T]?: T[K] | undefined } | undefined)[],
): T {
  const given = layers.flatMap((layer) => Object.entries(layer ?? {}).filter(([, value]) => value !== undefined));
  return { ...defaults, ...Object.fromEntries(given) };
}
