/**
 * A campaign as one page: the sums, what waits for a person first, and each repository with all that is known of it.
 */
import type { FleetReport, FleetRepository, FleetStep } from '#protocol/fleet.js';
import type { Open } from '#protocol/propagate.js';
import { counted } from '../base/counted.js';
import { factAndCause, reasonBeside } from '../base/block-reason.js';
import { shownName, shownWord } from '../base/shown.js';
import { adviceOn } from '../fleet/advice.js';
import { CANARY_HELD } from '../fleet/next.js';
import { difference } from './difference.js';
import { folded } from './folded.js';
import { framed } from './frame.js';
import { html, listOf, type Html, type Part } from './html.js';
import { neededOf } from './needed.js';

/** In the order in which a person wants to see them, with what each means. */
const STATES: readonly (readonly [FleetRepository['state'], string])[] = [
  ['failed', 'could not be done'],
  ['needs-person', 'wait for a person'],
  ['needs-value', 'wait for a value'],
  ['waiting', 'not looked at yet'],
  ['affected', 'use the library in an older version'],
  ['planned', 'planned, without a branch'],
  ['checked', 'their branch lies ready'],
  ['proposed', 'proposed'],
  ['withdrawn', 'proposal closed'],
  ['merged', 'merged'],
  ['not-affected', 'not affected'],
];
/** Above this many, repositories of a state are folded by their reasons. */
const UNFOLDED_MOST = 20;
/** So many with the same reason are one line, where a group is folded. */
const ALIKE_LEAST = 3;
/** Of these nothing is left to be read. */
const SETTLED: ReadonlySet<FleetRepository['state']> = new Set(['not-affected', 'merged', 'withdrawn']);
/** In pixels: a percent is seen, and the column stays narrow. */
const BAR_WIDTH = 120;
/** More names in one line than this nobody reads. */
const NAMED_MOST = 10;

/** `live`: the revision shown, where somebody serves the page. */
export function fleetPage(report: FleetReport, live?: number): string {
  const { campaign, title } = report;
  return framed({ title: `${title} (${campaign})`, ...(live === undefined ? {} : { live }) }, body(report));
}

function body(report: FleetReport): Html {
  const { repositories, counts, packages, status, running, created, branch, damaged } = report;
  const affected = repositories.filter(({ state }) => !['waiting', 'not-affected'].includes(state)).length;
  const facts = [
    ['repositories', repositories.length],
    ['affected', affected],
    ['ready', counts.checked],
    ['proposed', counts.proposed],
    ['merged', counts.merged],
    ['failed', counts.failed],
    ['wait for somebody', counts['needs-person'] + counts['needs-value']],
    ['status', status === 'running' ? (running ? 'work is handed out' : 'no process works on it') : status],
  ] as const;
  const changed = packages.map(({ name, from, to }) => [name, from ?? 'unknown', 'to', to ?? 'unknown'].join(' '));
  const advice = adviceOn(report);
  return html`<p>${changed.join('; ')} · branch <code>${branch}</code> · begun ${momentOf(created)}</p>
    <dl class="facts">
      ${facts.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    ${advice === undefined ? undefined : html`<p class="verdict">${advice}</p>`}
    ${damaged === 0 ? undefined : damagedLines(damaged)}
    ${sums(report)} ${waiting(report)}
    ${STATES.map(([state, meaning]) => group(state, meaning, repositories))}`;
}

const momentOf = (time: string): string => time.replace(/^(.{10})T(.{5}).*$/u, '$1 $2 UTC');

const damagedLines = (count: number): Html =>
  html`<p class="verdict errors">${count} lines of the log are damaged; what they said is done again.</p>`;

function sums({ counts, repositories }: FleetReport): Html {
  return html`<h2>How far it is</h2>
    <table class="sums">
      ${STATES.filter(([state]) => counts[state] > 0).map(
        ([state, meaning]) =>
          html`<tr>
            <th><a href="#${state}">${state}</a></th>
            <td>${counts[state]}</td>
            <td>${bar(lookOf(state), counts[state] / repositories.length)}</td>
            <td>${meaning}</td>
          </tr>`,
      )}
    </table>`;
}

const bar = (look: string, share: number): Html =>
  html`<svg class="bar ${look}" width="${BAR_WIDTH}" height="8" role="img" aria-label="${Math.round(share * 100)} %">
    <rect width="${BAR_WIDTH}" height="8" rx="2"></rect>
    <rect class="part" width="${Math.max(2, Math.round(share * BAR_WIDTH))}" height="8" rx="2"></rect>
  </svg>`;

/** Values first, since one may be all that many repositories lack. */
function waiting({ campaign, repositories }: FleetReport): Html | undefined {
  const values = new Map<string, FleetRepository[]>();
  for (const each of repositories.filter(({ state }) => state === 'needs-value'))
    for (const name of new Set(each.open.map(({ value }) => value ?? '')))
      values.set(name, [...(values.get(name) ?? []), each]);
  const lacking = [...values].map(
    ([name, members]) =>
      html`${counted(members.length, 'repository', 'repositories')} ${members.length === 1 ? 'lacks' : 'lack'} a value
        for <b>${name}</b>: <code>codeplan fleet retry ${campaign} --value ${shownWord(`${name}=…`)}</code>
        ${links(members)}`,
  );
  const persons = byReason(repositories.filter(({ state }) => state === 'needs-person')).map(
    ([reason, members]) => html`${reason} ${links(members)}`,
  );
  const held = byReason(repositories.filter(({ reason }) => reason.endsWith(CANARY_HELD)));
  const canary = held.length === 0 ? [] : [html`${CANARY_REASON} ${links(held.flatMap(([, members]) => members))}`];
  const items = [...canary, ...lacking, ...persons];
  return items.length === 0
    ? undefined
    : html`<h2>What waits for a person</h2>
        ${listOf(items, 'open')}`;
}

const CANARY_REASON = 'After the canary these wait for your yes:';

function links(members: readonly FleetRepository[]): Html {
  const named = members.slice(0, NAMED_MOST).map(({ key }, i) => html`${i === 0 ? '' : ', '}${linkTo(key)}`);
  const more = members.length > NAMED_MOST ? `, and ${members.length - NAMED_MOST} more` : '';
  return html`<span class="causes">(${named}${more})</span>`;
}

const linkTo = (key: string): Html => html`<a href="#r-${key}">${key}</a>`;

function byReason(repositories: readonly FleetRepository[]): [string, FleetRepository[]][] {
  const found = new Map<string, FleetRepository[]>();
  for (const each of repositories) found.set(each.reason, [...(found.get(each.reason) ?? []), each]);
  return [...found].sort(([, a], [, b]) => b.length - a.length);
}

const openText = (one: Open): Html =>
  html`${placeOf(one.file, one.line)} <b>${one.block}</b>: ${factAndCause(one)}
    <span class="tag pending">${neededOf(one.needs, one.value)}</span>`;

const placeOf = (file: string, line: number | undefined): Html =>
  html`<code>${shownName(file)}${line === undefined ? '' : `:${line}`}</code>`;

/** A link where it is one; what a person's command printed may be anything. */
const addressOf = (proposal: string): Part =>
  /^https?:\/\//u.test(proposal) ? html`<a href="${proposal}" rel="noreferrer">${proposal}</a>` : proposal;

function group(
  state: FleetRepository['state'],
  meaning: string,
  repositories: readonly FleetRepository[],
): Html | undefined {
  const members = repositories.filter((each) => each.state === state);
  if (members.length === 0) return undefined;
  const isListed = members.length <= UNFOLDED_MOST && !SETTLED.has(state);
  const entries = isListed
    ? members.map((each) => article(each, lookOf(state) !== 'fits'))
    : byReason(members).map(([reason, alike]) =>
        alike.length < ALIKE_LEAST
          ? alike.map((each) => article(each, false))
          : folded(
              'alike',
              html`${alike.length} × ${reason}`,
              alike.map((each) => article(each, false)),
              false,
            ),
      );
  return html`<h2 id="${state}">${meaning} (${members.length})</h2>
    ${entries}`;
}

const lookOf = (state: FleetRepository['state']): 'breaks' | 'may' | 'fits' =>
  state === 'failed' ? 'breaks' : state.startsWith('needs') ? 'may' : 'fits';

function article(each: FleetRepository, isUnfolded: boolean): Html {
  const { key, source, state, reason, files, edits, steps, open, notes, undecided, oracle, ready, proposal } = each;
  const facts = [
    ...(files.length === 0 ? [] : [`in ${counted(files.length, 'file')}`]),
    ...(undecided === 0 ? [] : [`${counted(undecided, 'place')} undecided`]),
    ...(each.wave === 0 ? [] : [`wave ${each.wave + 1}`]),
    ...(oracle === null ? [] : [`${oracle.name}: ${counted(oracle.new.length, 'new error')}`]),
  ];
  const head = html`<b>${key}</b> <span class="tag ${state}">${state}</span>
    <span class="why">${reason}</span> ${facts.length === 0 ? undefined : html`<span>${facts.join(', ')}</span>`}`;
  const content = html`<p><code>${source}</code></p>
    ${listOf(open.map(openText), 'open')} ${listOf(notes)} ${plan(files, steps, edits)}
    ${ready === undefined ? undefined : html`<p><code>git fetch ${ready.repository} ${ready.branch}</code></p>`}
    ${proposal === undefined ? undefined : html`<p>${addressOf(proposal)}</p>`}`;
  return html`<article id="r-${key}" class="repository ${lookOf(state)}">
    ${folded('', head, content, isUnfolded)}
  </article>`;
}

/** What was planned, block by block; of files that no step names, such as manifests, the name. */
function plan(files: readonly string[], steps: readonly FleetStep[], edits: number): Part {
  const told = new Set(steps.map(({ file }) => file));
  const others = files.filter((file) => !told.has(file));
  return [
    ...steps.map(({ file, block, line, reason, diff }) => {
      const head = html`${placeOf(file, line)} <b>${block}</b>: ${reasonBeside({ block, reason })}`;
      return diff === '' ? html`<p>${head}</p>` : folded('step', head, difference(diff), false);
    }),
    edits > steps.length ? html`<p>And ${counted(edits - steps.length, 'edit')} more, on the branch.</p>` : undefined,
    listOf(others.map((file) => html`<code>${shownName(file)}</code>`)),
  ];
}
