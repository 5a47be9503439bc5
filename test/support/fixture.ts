/**
 * The text format of fixtures: prose, files with one marked edit, and expected sections.
 *
 *     What the case shows.
 *     -- store.py --                      also `-- p (new) --`, `-- p (deleted) --`, `-- old -> new --`
 *     def put(key{+, ttl+}):   #@put      `{+added+}` `{-removed-}`, may span lines; a label
 *     == impact ==                        what is to be computed; the lines are all there may be
 *     save   CalledBy put   breaks certain   MMS/CalledBy
 *
 * A label (`#@`, `//@`, `--@` or `;@` and a name, at the end of a line) names the innermost block
 * whose name stands on the line, on each side of the edit that has the line; it and the blanks
 * before it are no part of the source. A file's text ends with one line break, whatever blank
 * lines follow it in the fixture. Whatever is not well-formed is an error with its line.
 */

/** One side of a file. */
export interface FixtureSide {
  readonly path: string;
  readonly text: string;
  /** Labels with the 0-based line that they stand on. */
  readonly labels: ReadonlyMap<string, number>;
}

export interface FixtureFile {
  readonly before?: FixtureSide;
  readonly after?: FixtureSide;
}

export interface Fixture {
  readonly prose: string;
  readonly files: readonly FixtureFile[];
  /** By name, in order of appearance; lines as written, without the blank ones at the end. */
  readonly sections: ReadonlyMap<string, readonly string[]>;
  /** Everything up to the first section, as written. */
  readonly head: string;
}

export class FixtureError extends Error {
  constructor(line: number, message: string) {
    super(`line ${line + 1}: ${message}`);
    this.name = 'FixtureError';
  }
}

const FILE_HEADER = /^-- (?:(\S+) -> (\S+)|(\S+)(?: \((new|deleted)\))?) --$/;
const SECTION_HEADER = /^== ([a-z]+) ==$/;
const LABEL = /[ \t]*(?:#|\/\/|--|;)@([\w-]+)[ \t]*$/;

export function parseFixture(source: string): Fixture {
  const lines = source.replace(/\r\n/g, '\n').split('\n');
  const firstSection = indexOr(
    lines.findIndex((line) => SECTION_HEADER.test(line)),
    lines.length,
  );
  const firstFile = lines.findIndex((line) => FILE_HEADER.test(line));
  if (firstFile < 0 || firstFile > firstSection)
    throw new FixtureError(Math.min(firstSection, lines.length - 1), 'no file stands before the first section');
  const prose = lines.slice(0, firstFile).join('\n').trim();
  if (prose === '') throw new FixtureError(0, 'a fixture begins with what it shows, in prose');
  const sections = parseSections(lines, firstSection);
  if (sections.size === 0) throw new FixtureError(lines.length - 1, 'no section says what is expected');
  return {
    prose,
    files: parseFiles(lines, firstFile, firstSection),
    sections,
    head: lines.slice(0, firstSection).join('\n').trimEnd(),
  };
}

/** The fixture's text with other sections. */
export function withSections(fixture: Fixture, sections: ReadonlyMap<string, readonly string[]>): string {
  return `${fixture.head}\n\n${[...sections].map(([name, lines]) => [`== ${name} ==`, ...lines].join('\n')).join('\n')}\n`;
}

const indexOr = (index: number, otherwise: number): number => (index < 0 ? otherwise : index);

function parseSections(lines: readonly string[], from: number): Map<string, readonly string[]> {
  const sections = new Map<string, string[]>();
  let current: string[] = [];
  for (let i = from; i < lines.length; i++) {
    const line = lines[i] as string;
    const name = SECTION_HEADER.exec(line)?.[1];
    if (name === undefined) {
      current.push(line);
      continue;
    }
    if (sections.has(name)) throw new FixtureError(i, `the section ${name} stands here twice`);
    sections.set(name, (current = []));
  }
  return new Map([...sections].map(([name, body]) => [name, trimmedLines(body)]));
}

function trimmedLines(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return lines.slice(0, last + 1);
}

function parseFiles(lines: readonly string[], from: number, to: number): FixtureFile[] {
  const files: FixtureFile[] = [];
  const seen = { before: new Set<string>(), after: new Set<string>() };
  const labels = new Set<string>();
  for (let start = from; start < to;) {
    const header = FILE_HEADER.exec(lines[start] as string);
    if (header === null) throw new FixtureError(start, 'a file header was expected');
    let end = start + 1;
    while (end < to && !FILE_HEADER.test(lines[end] as string)) end++;
    const [, oldPath, newPath, path, state] = header;
    const marked = parseMarked(lines.slice(start + 1, end), start + 1, labels);
    const side = (which: 'before' | 'after', name: string): FixtureSide => {
      if (/^\/|\\|(^|\/)\.\.?(\/|$)/.test(name))
        throw new FixtureError(start, `${name} is not a path relative to the root, with /`);
      if (seen[which].has(name)) throw new FixtureError(start, `${name} stands here twice`);
      seen[which].add(name);
      return { path: name, ...marked[which] };
    };
    if (state !== undefined && marked.edited)
      throw new FixtureError(start, `a ${state} file has one side only: no marked edits`);
    files.push({
      ...(state === 'new' ? {} : { before: side('before', (oldPath ?? path) as string) }),
      ...(state === 'deleted' ? {} : { after: side('after', (newPath ?? path) as string) }),
    });
    start = end;
  }
  return files;
}

type MarkedSide = Pick<FixtureSide, 'text' | 'labels'>;

/** Both sides of a text with marked edits. `labels` holds those of the files before. */
function parseMarked(
  body: readonly string[],
  firstLine: number,
  labels: Set<string>,
): { before: MarkedSide; after: MarkedSide; edited: boolean } {
  const before = new SideBuilder();
  const after = new SideBuilder();
  let open: { readonly sign: '+' | '-'; readonly line: number } | undefined;
  let edited = false;
  for (const [i, written] of trimmedLines(body).entries()) {
    const line = firstLine + i;
    const label = LABEL.exec(written);
    const source = label === null ? written : written.slice(0, label.index);
    before.beginLine();
    after.beginLine();
    for (const token of `${source}\n`.split(/(\{[+-]|[+-]\})/)) {
      if (token === '{+' || token === '{-') {
        if (open !== undefined) throw new FixtureError(line, `${token} inside of {${open.sign}`);
        open = { sign: token[1] as '+' | '-', line };
        edited = true;
      } else if (open !== undefined && token === `${open.sign}}`) open = undefined;
      else {
        if (open?.sign !== '+') before.add(token);
        if (open?.sign !== '-') after.add(token);
      }
    }
    if (label === null) continue;
    const name = label[1] as string;
    if (labels.has(name)) throw new FixtureError(line, `the label ${name} is given twice`);
    labels.add(name);
    before.label(name);
    after.label(name);
  }
  if (open !== undefined)
    throw new FixtureError(open.line, `{${open.sign} is never closed; in source text write a blank behind the brace`);
  return { before: before.side(), after: after.side(), edited };
}

/** Collects one side's text, and which of its lines a line of the fixture became. */
class SideBuilder {
  private text = '';
  private lines = 0;
  private lineText = '';
  private lineOf = 0;
  private readonly labels = new Map<string, number>();

  beginLine(): void {
    this.lineText = '';
    this.lineOf = this.lines;
  }
  add(piece: string): void {
    if (this.lineText === '') this.lineOf = this.lines;
    this.text += piece;
    this.lineText += piece;
    this.lines += piece.split('\n').length - 1;
  }
  label(name: string): void {
    if (this.lineText.trim() !== '') this.labels.set(name, this.lineOf);
  }
  side(): MarkedSide {
    return { text: this.text.trim() === '' ? '' : `${this.text.trimEnd()}\n`, labels: this.labels };
  }
}
