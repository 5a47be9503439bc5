/**
 * A campaign as one page: the sums, what waits for a person first, and each repository with all that is known of it.
 */
import type { FleetReport, FleetRepository } from '#protocol/fleet.js';
import type { Open } from '#protocol/propagate.js';
import { shownName } from '../base/shown.js';
import { framed } from './frame.js';
import { Html, html, listOf, type Part } from './html.js';
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
/** Above this many, repositories are folded until one is clicked. */
const UNFOLDED_MOST = 20;
/** What waits for a person is shown first, and more of it than this nobody reads at once. */
const WAITING_MOST = 200;

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
    ['status', running ? `${status}, work is handed out` : status],
  ] as const;
  const changed = packages.map(({ name, from, to }) => [name, from ?? 'unknown', 'to', to ?? 'unknown'].join(' '));
  return html`<p>${changed.join('; ')} · branch <code>${branch}</code> · begun ${created}</p>
    <dl class="facts">
      ${facts.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    ${damaged === 0 ? undefined : damagedLines(damaged)}
    ${sums(report)} ${waiting(repositories)}
    ${STATES.map(([state, meaning]) => group(state, meaning, repositories))}`;
}

const damagedLines = (count: number): Html =>
  html`<p class="verdict errors">${count} lines of the log are damaged; what they said is done again.</p>`;

function sums({ counts, repositories }: FleetReport): Html {
  return html`<h2>How far it is</h2>
    <table class="sums">
      ${STATES.filter(([state]) => counts[state] > 0).map(
        ([state, meaning]) =>
          html`<tr class="${state}">
            <th><a href="#${state}">${state}</a></th>
            <td>${counts[state]}</td>
            <td><meter min="0" max="${repositories.length}" value="${counts[state]}"></meter></td>
            <td>${meaning}</td>
          </tr>`,
      )}
    </table>`;
}

function waiting(repositories: readonly FleetRepository[]): Html | undefined {
  const places = repositories.flatMap((each) => each.open.map((place) => ({ each, place })));
  if (places.length === 0) return undefined;
  const shown = places
    .slice(0, WAITING_MOST)
    .map(({ each, place }) => html`<a href="#r-${each.key}">${each.key}</a> ${openText(place)}`);
  return html`<h2>What waits for a person</h2>
    ${listOf(shown, 'open')}
    ${places.length > WAITING_MOST ? html`<p>And ${places.length - WAITING_MOST} more, below.</p>` : undefined}`;
}

const openText = ({ file, line, block, reason, needs, value }: Open): Html =>
  html`<code>${shownName(file)}${line === undefined ? '' : `:${line}`}</code> <b>${block}</b>: ${reason}
    <span class="tag pending">${neededOf(needs, value)}</span>`;

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
  const isUnfolded = members.length <= UNFOLDED_MOST && state !== 'not-affected';
  return html`<h2 id="${state}">${meaning} (${members.length})</h2>
    ${members.map((each) => article(each, isUnfolded))}`;
}

function article(each: FleetRepository, isUnfolded: boolean): Html {
  const { key, source, state, reason, files, edits, open, notes, undecided, oracle, ready, proposal, wave } = each;
  const facts = [
    `${edits} edits in ${files.length} files`,
    ...(undecided === 0 ? [] : [`${undecided} places undecided`]),
    ...(wave === 0 ? [] : [`wave ${wave + 1}`]),
    ...(oracle === null ? [] : [`${oracle.name}: ${oracle.new.length} new errors`]),
  ];
  const look = state === 'failed' ? 'breaks' : state.startsWith('needs') ? 'may' : 'fits';
  return html`<article id="r-${key}" class="${look}">
    <h3>${key} <span class="tag ${state}">${state}</span></h3>
    <p>${reason}</p>
    <details${isUnfolded ? new Html(' open') : undefined}
      ><summary>${facts.join(', ')}</summary>
      <p><code>${source}</code></p>
      ${listOf(files.map((file) => html`<code>${shownName(file)}</code>`))} ${listOf(open.map(openText), 'open')}
      ${listOf(notes)}
      ${ready === undefined ? undefined : html`<p><code>git fetch ${ready.repository} ${ready.branch}</code></p>`}
      ${proposal === undefined ? undefined : html`<p>${addressOf(proposal)}</p>`}
    </details>
  </article>`;
}
