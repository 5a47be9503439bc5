/**
 * Computes the sections of a fixture and compares them with what it expects: the only test code
 * that calls the engine for fixtures, so its interfaces can change without touching a case.
 *
 * Each section that is present is total: a line that is not listed is a failure. Lines compare
 * without regard to their order and to the width of blanks, but for the texts of `result`. The
 * prefixes of rows: a block's label, else `path::Outer.inner`, and the path alone for module level.
 */
import assert from 'node:assert/strict';
import { createTwoFilesPatch } from 'diff';
import { atOnce } from '#src/base/turns.js';
import { editBetween } from '#src/engine/edit-between.js';
import type { Acceptable } from '#src/plan/plan-graph.js';
import { Host } from '#src/engine/host.js';
import { GivenValues } from '#src/edit/mechanical/calls/given-values.js';
import { runPlan, type PlanOptions, type PlanResult } from '#src/engine/plan-run.js';
import type { WorkingTree } from '#src/engine/working-tree.js';
import { summarise } from '#src/languages/summarise.js';
import { lineAt } from '#src/syntax/line-at.js';
import type { Fact } from '#src/graph/explain/facts.js';
import { sitesIn } from '#src/graph/refer/sites-in.js';
import { INVERSE, RELATION_OF_EDGE } from '#src/graph/refer/relation.js';
import { why } from '#src/graph/explain/why.js';
import { DEPTH_MOST } from '#src/impact/forecast.js';
import { foundOn } from '#src/impact/finders.js';
import { impactOf, type Impact } from '#src/impact/impact.js';
import { questionAbout, type Profile, type Question } from '#src/impact/question.js';
import type { DeclRef } from '#src/languages/language.js';
import { languageOf } from '#src/languages/registry.js';
import type { AtomicChange } from '#src/change/atomic-change.js';
import { unlistedWords } from '#src/impact/unlisted.js';
import type { Edit } from '#src/change/edit.js';
import type { Grammars } from '#src/syntax/grammar.js';
import { detailWords } from './change-words.js';
import { withSections, type Fixture } from './fixture.js';
import { refactoredLines } from './refactored.js';
import { fixtureTrees, type FixtureTrees, type LineEnding, type Texts } from './fixture-trees.js';

export type Sections = ReadonlyMap<string, readonly string[]>;

/** What can be asked for by name. */
const SECTIONS: Readonly<Record<string, (run: Run) => readonly string[] | Promise<readonly string[]>>> = {
  change: changeRows,
  graph: graphRows,
  why: whyRows,
  impact: (run) => impactRows(run, 'precise'),
  strict: (run) => impactRows(run, 'strict'),
  unlisted: (run) => unlistedWords(impactOfRun(run, 'precise').unlisted).map(({ words }) => words),
  forecast: forecastRows,
  plan: planRows,
  result: resultLines,
  open: openRows,
  choices: choiceRows,
  undecided: undecidedRows,
  problems: problemRows,
  work: workRows,
  /** Input: what the person gives for new parameters, `name=expression` a line. */
  values: (run) => run.values,
  /** Input: what the person agreed to, one a line. */
  accept: (run) => [...run.accepted],
  /** Input: refactorings of the files before, each by itself, as their command line has them. */
  refactor: (run) => run.commands,
  refactored: (run) => refactoredLines(run.trees.before, run.commands, run.grammars),
};

/**
 * Fails with matched, missed and spurious lines and a diff, if the fixture's sections are not what the engine
 * gives.
 */
export async function checkFixture(fixture: Fixture, grammars: Grammars, eol: LineEnding): Promise<void> {
  const actual = await computeSections(fixture, grammars, eol);
  const failures = [...fixture.sections].flatMap(([name, expected]) => compare(name, expected, actual.get(name) ?? []));
  if (failures.length > 0) assert.fail(failures.join('\n\n'));
}

/** The fixture's text with its sections as the engine gives them. */
export async function updatedFixture(fixture: Fixture, grammars: Grammars): Promise<string> {
  return withSections(fixture, await computeSections(fixture, grammars, '\n'));
}

async function computeSections(fixture: Fixture, grammars: Grammars, eol: LineEnding): Promise<Sections> {
  const run = new Run(
    fixtureTrees(fixture, grammars, eol),
    grammars,
    fixture.sections.get('values') ?? [],
    new Set((fixture.sections.get('accept') ?? []).filter(isAcceptable)),
    fixture.sections.get('refactor') ?? [],
  );
  const out = new Map<string, readonly string[]>();
  for (const name of fixture.sections.keys()) {
    const compute = SECTIONS[name];
    if (compute === undefined)
      throw new Error(`there is no section ${name}; sections are ${Object.keys(SECTIONS).join(', ')}`);
    out.set(name, await compute(run));
  }
  return out;
}

/** One fixture under way; the plan is run once, when a section first asks for it. */
class Run {
  private planned: Promise<PlanResult> | undefined;
  readonly edit: Edit;

  constructor(
    readonly trees: FixtureTrees,
    readonly grammars: Grammars,
    readonly values: readonly string[],
    readonly accepted: ReadonlySet<Acceptable>,
    readonly commands: readonly string[],
  ) {
    this.edit = editBetween(trees.before, trees.after, trees.renames);
  }

  plan(): Promise<PlanResult> {
    return (this.planned ??= planOf(this.trees, this.grammars, this.values, this.accepted));
  }

  changed(change: AtomicChange): string {
    const { before, after, names } = this.trees;
    if (change.after !== undefined && change.after.decl >= 0) return names.ref('after', after, change.after);
    if (change.before !== undefined && change.before.decl >= 0) return names.ref('before', before, change.before);
    return change.file;
  }
}

const isAcceptable = (word: string): word is Acceptable => word === 'drop-unread';

/** The plan of a fixture's edit, without a model. */
export function planOf(
  trees: FixtureTrees,
  grammars: Grammars,
  values: readonly string[] = [],
  accepted: ReadonlySet<Acceptable> = new Set(),
): Promise<PlanResult> {
  const options: PlanOptions = {
    grammars,
    values: new GivenValues(
      Object.fromEntries(
        values.map((line): [string, string] => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      ),
    ),
    accepted,
    certainOnly: false,
    stepsMost: 200,
    planning: true,
    askAll: false,
    renames: trees.renames,
    signal: new AbortController().signal,
    progress: () => undefined,
  };
  return runPlan(trees.before, trees.after, options);
}

// ---- sections

function changeRows(run: Run): readonly string[] {
  return rows(run.edit.changes.map((change) => [run.changed(change), change.label, detailWords(change)]));
}

/** Edges that begin or end in a labelled block; without labels all. */
function graphRows({ trees: { after, names } }: Run): readonly string[] {
  const edges = [...after.snapshot.files.keys()]
    .sort()
    .flatMap((file) =>
      sitesIn(after.resolver, file).map((site) => ({
        from: names.ref('after', after, { file, decl: site.block }),
        relation: INVERSE[RELATION_OF_EDGE[site.kind]],
        to: names.ref('after', after, site.target),
        confidence: site.confidence,
      })),
    );
  const wanted =
    names.labels.size === 0 ? edges : edges.filter((edge) => names.labels.has(edge.from) || names.labels.has(edge.to));
  return rows(wanted.map((edge) => [edge.from, edge.relation, edge.to, edge.confidence]));
}

/** Paths of resolution to labelled blocks, and for rows that say such a block's name and mean something else, why. */
function whyRows({ trees: { after, names } }: Run): readonly string[] {
  const { resolver } = after;
  const nameOf = (ref: DeclRef): string => names.ref('after', after, ref);
  const path = (facts: readonly Fact[]): string =>
    facts.map((fact) => `${fact.words} (${fact.file}:${lineAt(resolver.summary(fact.file), fact.at)})`).join('; ');
  const files = [...after.snapshot.files].sort(([a], [b]) => (a < b ? -1 : 1));
  const labelled = files
    .flatMap(([file, { decls }]) => Array.from({ length: decls.count }, (_, decl) => ({ file, decl })))
    .filter((ref) => names.labels.has(nameOf(ref)));
  return rows(
    labelled.flatMap((target) =>
      files.flatMap(([file, summary]) => {
        const { edges, others } = why(resolver, [target], { file, start: 0, end: summary.textLength });
        return [
          ...edges.map(({ site, path: facts }) => [
            nameOf({ file, decl: site.block }),
            INVERSE[RELATION_OF_EDGE[site.kind]],
            nameOf(target),
            site.confidence,
            path(facts),
          ]),
          ...others.map((row) => [
            nameOf({ file, decl: row.block }),
            'not',
            nameOf(target),
            row.outcome,
            path(row.path),
          ]),
        ];
      }),
    ),
  );
}

function impactRows(run: Run, profile: Profile): readonly string[] {
  const { after, names } = run.trees;
  const blocks = impactOfRun(run, profile).affected;
  return rows(
    blocks.flatMap((block) =>
      block.sites.map((site) => [
        names.ref('after', after, block),
        `${site.relation} ${run.changed(site.cause)}`,
        `${site.tier} ${site.confidence}`,
        site.rule,
      ]),
    ),
  );
}

function forecastRows(run: Run): readonly string[] {
  const { after, names } = run.trees;
  const question = questionOf(run, 'precise');
  const known = impactOfRun(run, 'precise').affected;
  const blocks = atOnce(foundOn('forecast', { ...question, known, depthMost: DEPTH_MOST }));
  return rows(
    blocks.map((block) => [
      names.ref('after', after, block),
      `${block.sites[0]?.relation}`,
      `${block.tier} ${block.confidence}`,
      `level ${block.depth}`,
    ]),
  );
}

function questionOf({ trees: { before, after }, edit }: Run, profile: Profile): Question {
  return { ...questionAbout({ before: before.resolver, after: after.resolver }, edit), profile };
}

function impactOfRun(run: Run, profile: Profile): Impact {
  const question = questionOf(run, profile);
  const impact = atOnce(impactOf(question));
  const beside = atOnce(foundOn('beside', { ...question, known: impact.affected }));
  return { ...impact, affected: [...impact.affected, ...beside] };
}

async function planRows(run: Run): Promise<readonly string[]> {
  const { plan } = await run.plan();
  return rows(
    plan.steps.map((step) => [run.trees.names.path(step.file, step.block), step.how, step.rule, step.status]),
  );
}

async function openRows(run: Run): Promise<readonly string[]> {
  const { plan } = await run.plan();
  return rows(
    plan.steps.flatMap((step) =>
      step.open === undefined ? [] : [[run.trees.names.path(step.file, step.block), step.open.needs, step.open.reason]],
    ),
  );
}

/** What a person could give where a value is needed. */
async function choiceRows(run: Run): Promise<readonly string[]> {
  const { plan } = await run.plan();
  return rows(
    plan.steps.flatMap(({ open, file, block }) =>
      open?.value === undefined
        ? []
        : [[run.trees.names.path(file, block), open.value, (open.choices ?? []).join(' | ')]],
    ),
  );
}

/** Texts of the files that the plan changed, after the person's edit. */
async function resultLines(run: Run): Promise<readonly string[]> {
  const { tree } = await run.plan();
  return tree.editedFiles.flatMap((file) => {
    const text = tree.text(file) as string;
    return text === run.trees.afterTexts.get(file)
      ? []
      : [`-- ${file} --`, ...text.replaceAll('\r\n', '\n').trimEnd().split('\n')];
  });
}

async function undecidedRows(run: Run): Promise<readonly string[]> {
  const { undecided } = await run.plan();
  const { after } = run.trees;
  return rows(undecided.map(({ file, expr, reason }) => [`${file}:${place(after, file, expr)}`, reason]));
}

function place(tree: WorkingTree, file: string, expr: number): number {
  const summary = tree.resolver.summary(file);
  return lineAt(summary, summary.exprs.startOf(expr));
}

/** Text that could not be parsed, on both sides, and what bounds cut off. */
async function problemRows(run: Run): Promise<readonly string[]> {
  const { cut } = await run.plan();
  const errors = (['before', 'after'] as const).flatMap((which) =>
    [...run.trees[which].snapshot.files].flatMap(([file, summary]) =>
      [...summary.errors]
        .filter((_, i) => i % 2 === 0)
        .map((offset) => [`${file}:${lineAt(summary, offset)}`, `does not parse ${which} the edit`]),
    ),
  );
  return rows([...errors, ...cut.map((message) => [message])]);
}

/** Which files an edit, and then its plan, parses again in a session that is warm. */
async function workRows({ trees, grammars }: Run): Promise<readonly string[]> {
  const parsed: string[] = [];
  const counting = countingGrammars(grammars, parsed);
  const host = new Host(counting);
  const files = new Map(
    [...trees.beforeTexts].flatMap(([path, text]) => {
      const summary = summarise(counting, path, text);
      return summary === undefined ? [] : [[path, { summary, digest: path, byteOrderMark: false }] as const];
    }),
  );
  host.post({ kind: 'disk', files, configs: new Map(), refused: new Map() });
  host.snapshot('editor');
  parsed.length = 0;
  for (const [path, text] of trees.afterTexts)
    if (languageOf(path) !== undefined) host.post({ kind: 'overlay', client: 'editor', path, text, version: 1 });
  host.snapshot('editor');
  const forEdit = filesOf(parsed.splice(0), trees.afterTexts);
  const { tree } = await planOf(trees, counting);
  const forPlan = filesOf(
    parsed,
    new Map([...trees.afterTexts].map(([path, text]) => [path, tree.text(path) ?? text])),
  );
  return [`parsed ${forEdit.join(' ')}`.trim(), `planned ${forPlan.join(' ')}`.trim()];
}

/** The parser, with the texts that it is given recorded. */
function countingGrammars(grammars: Grammars, parsed: string[]): Grammars {
  return Object.assign(Object.create(grammars) as Grammars, {
    parse: (...[name, text]: Parameters<Grammars['parse']>) => {
      parsed.push(text);
      return grammars.parse(name, text);
    },
    parseEdited: (...[key, name, text]: Parameters<Grammars['parseEdited']>) => {
      parsed.push(text);
      return grammars.parseEdited(key, name, text);
    },
  });
}

const filesOf = (parsed: readonly string[], texts: Texts): string[] =>
  [...texts]
    .filter(([, text]) => parsed.includes(text))
    .map(([path]) => path)
    .sort();

// ---- rows

/** Cells in columns, without duplicates, sorted. */
function rows(cells: readonly (readonly string[])[]): readonly string[] {
  const distinct = [
    ...new Map(cells.map((row) => [row.join('\0'), row.map((cell) => cell.replace(/\s+/g, ' ').trim())])).values(),
  ];
  const widths = distinct.reduce<number[]>(
    (most, row) => row.map((cell, i) => Math.max(cell.length, most[i] ?? 0)),
    [],
  );
  return [
    ...new Set(
      distinct.map((row) =>
        row
          .map((cell, i) => cell.padEnd(widths[i] as number))
          .join('   ')
          .trimEnd(),
      ),
    ),
  ].sort();
}

function compare(name: string, expected: readonly string[], actual: readonly string[]): string[] {
  const isText = name === 'result' || name === 'refactored';
  const normal = (lines: readonly string[]): string[] =>
    isText
      ? [...lines]
      : lines
          .filter((line) => line.trim() !== '')
          .map((line) => line.trim().replace(/\s+/g, ' '))
          .sort();
  const wanted = normal(expected);
  const given = normal(actual);
  if (wanted.join('\n') === given.join('\n')) return [];
  const left = [...given];
  const missed = wanted.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  const diff = createTwoFilesPatch('expected', 'actual', `${wanted.join('\n')}\n`, `${given.join('\n')}\n`).replace(
    /^=+\n/,
    '',
  );
  return [
    [
      `section ${name}: ${wanted.length - missed.length} matched, ${missed.length} missed, ${left.length} spurious`,
      ...missed.map((line) => `  missed    ${line}`),
      ...left.map((line) => `  spurious  ${line}`),
      diff,
    ].join('\n'),
  ];
}
