/**
 * Texts of a repository that are no sources of a language here: documents, configuration, templates,
 * code of other languages. What mentions of a name are looked for in.
 */
import { languageOf } from '../../languages/registry.js';
import { readRepositoryFile } from '../disk/repository-file.js';
import { scan, type ScanOptions } from './scan.js';
import { decodeSource } from '../disk/source-text.js';

/** Longer ones hold data. */
const BYTES_MOST = 512 * 1024;
/** Files are read in between two turns of others: about a millisecond. */
const TURN_FILES = 20;

/** Endings of files that people write. */
const ENDINGS = new Set(
  (
    'md mdx markdown rst txt adoc asciidoc textile org ipynb tex ' +
    'yaml yml toml json json5 jsonc xml properties ini cfg conf config env gradle sbt cmake mk bazel bzl ' +
    'csproj fsproj vbproj props targets sln slnx resx nuspec imports factories ' +
    'html htm xhtml jsp jspx ftl vm ejs hbs mustache j2 jinja jinja2 tpl tmpl njk pug razor cshtml vbhtml aspx xaml ' +
    'vue svelte astro css scss less kt kts groovy scala clj fs vb pyx pxd pxi sql graphql gql proto thrift avsc ' +
    'sh bash zsh fish ps1 psm1 bat cmd tf hcl nix rb php go rs swift lua'
  ).split(' '),
);
const NO_ENDING =
  /^(?:README|CONTRIBUTING|AUTHORS|NOTICE|CHANGELOG|CHANGES|HISTORY|Makefile|Dockerfile|Jenkinsfile|Procfile|BUILD|WORKSPACE)$/;
/** Written by programs. */
const GENERATED = /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|composer\.lock)$|\.min\.\w+$/;

/** `root` must be a real path. What cannot be read is left out: nothing depends on a mention. */
export async function* otherTexts(
  root: string,
  options: ScanOptions,
): AsyncGenerator<{ readonly file: string; readonly text: string }> {
  const { configs } = await scan(root, { ...options, isWanted });
  let seen = 0;
  for (const { path } of configs) {
    if (++seen % TURN_FILES === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      options.signal.throwIfAborted();
    }
    const file = readRepositoryFile(root, path, { bytesMost: BYTES_MOST, links: 'none' });
    const source = file.kind === 'file' ? decodeSource(file.bytes) : undefined;
    if (source?.ok === true) yield { file: path, text: source.text };
  }
}

function isWanted(path: string): boolean {
  if (languageOf(path) !== undefined || GENERATED.test(path)) return false;
  const base = path.slice(path.lastIndexOf('/') + 1);
  const dot = base.lastIndexOf('.');
  return dot <= 0 ? NO_ENDING.test(base) : ENDINGS.has(base.slice(dot + 1).toLowerCase());
}
