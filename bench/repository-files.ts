/**
 * Files of one repository at several commits, out of a bare mirror: a text that several commits have is read and parsed
 * once. No repository is written to.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { isConfig } from '#src/io/index/scan.js';
import { languageOf } from '#src/languages/registry.js';
import { summarise } from '#src/languages/summarise.js';
import type { Grammars } from '#src/syntax/grammar.js';
import type { Summary } from '#src/syntax/summary.js';

const FILE_BYTES_MOST = 1_000_000;

export class RepositoryFiles {
  private readonly gitDirectory: string;
  /** By path and by git's name of the text: which language and which module a text is depends on its path. */
  private readonly known = new Map<string, Parsed>();

  constructor(
    mirrors: string,
    readonly repo: string,
    private readonly grammars: Grammars,
  ) {
    this.gitDirectory = join(mirrors, repo.replace('/', '+'), 'repo');
  }

  /** Sources of one language, and what configures them. */
  at(
    commit: string,
    language: string,
  ): { texts: Map<string, string>; summaries: Map<string, Summary>; configs: Map<string, string> } {
    const listed = this.git(['ls-tree', '-r', '-z', commit]).toString('utf8').split('\0');
    const files = listed.flatMap((row) => {
      const [, blob, path] = /^\d+ blob (\w+)\t(.*)$/s.exec(row) ?? [];
      if (blob === undefined || path === undefined) return [];
      return languageOf(path)?.id === language || isConfig(path) ? [{ blob, path }] : [];
    });
    this.parse(files.filter(({ blob, path }) => !this.known.has(keyOf(blob, path))));
    const texts = new Map<string, string>();
    const summaries = new Map<string, Summary>();
    const configs = new Map<string, string>();
    for (const { blob, path } of files) {
      const parsed = this.known.get(keyOf(blob, path));
      if (parsed === undefined) continue;
      if (isConfig(path)) configs.set(path, parsed.text);
      else texts.set(path, parsed.text);
      if (parsed.summary !== undefined) summaries.set(path, parsed.summary);
    }
    return { texts, summaries, configs };
  }

  /** Leaves out what the mirror lacks, and files that are too long. */
  private parse(files: readonly { readonly blob: string; readonly path: string }[]): void {
    if (files.length === 0) return;
    const out = this.git(['cat-file', '--batch'], files.map(({ blob }) => `${blob}\n`).join(''));
    let at = 0;
    for (const { blob, path } of files) {
      const end = out.indexOf(10, at);
      const size = Number(/ (\d+)$/.exec(out.toString('utf8', at, end))?.[1] ?? NaN);
      at = end + 1;
      if (Number.isNaN(size)) continue;
      const text = out.toString('utf8', at, at + size);
      at += size + 1;
      if (size > FILE_BYTES_MOST) continue;
      this.known.set(keyOf(blob, path), {
        text,
        summary: isConfig(path) ? undefined : summarise(this.grammars, path, text),
      });
    }
  }

  private git(args: readonly string[], input?: string): Buffer {
    const options = { maxBuffer: 1 << 30, ...(input === undefined ? {} : { input }) };
    return execFileSync('git', ['--git-dir', this.gitDirectory, ...args], options);
  }
}

interface Parsed {
  readonly text: string;
  readonly summary: Summary | undefined;
}

const keyOf = (blob: string, path: string): string => `${blob} ${path}`;
