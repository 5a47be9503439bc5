/** A plan as one page that needs nothing else. */
import { counted } from '../base/counted.js';
import type { Open, OracleVerdict, PropagateReport, Step } from '#protocol/propagate.js';
import { factAndCause } from '../base/block-reason.js';
import { howMade } from '../engine/how-made.js';
import { shownName } from '../base/shown.js';
import { unlistedWords } from '../impact/unlisted.js';
import { ALIKE_LEAST, changeIn } from '../engine/alike-edits.js';
import { grouped } from '../engine/plan-rows.js';
import { difference } from './difference.js';
import { folded } from './folded.js';
import { framed, type PageOptions } from './frame.js';
import { html, listOf, type Html } from './html.js';
import { neededOf } from './needed.js';
import { DRAWN_MOST, planPicture } from './plan-picture.js';

/** Above this many, files are folded until one is clicked, and edits that are alike are one row. */
const UNFOLDED_MOST = 30;

/** `report` undefined: no plan was made yet. */
export function planPage(report: PropagateReport | undefined, options: PageOptions): string {
  return framed(
    options,
    report === undefined
      ? html`<p>No plan was made yet. It appears here as soon as there is one.</p>`
      : body(report, options.live !== undefined),
  );
}

const UNCHECKED = html`<p class="verdict unknown">No compiler or test has checked this plan.</p>`;

const written = (undo: string | undefined): Html =>
  html`<p>
    These edits are written. ${undo === undefined ? undefined : html`Take them back with <code>${undo}</code>.`}
  </p>`;

function body(report: PropagateReport, isLive: boolean): Html {
  const { steps, open, undecided, oracle, problems } = report;
  const isUnfolded = steps.length <= UNFOLDED_MOST;
  return html`${sums(report)} ${followsFrom(report)}
    ${oracle === null ? UNCHECKED : verdict(oracle)}
    ${report.applied ? written(report.undo) : undefined}
    ${
      steps.length === 0
        ? html`<p>${open.length + undecided.length === 0 ? 'Nothing has to follow.' : 'No edit follows by itself.'}</p>`
        : steps.length > DRAWN_MOST
          ? undefined
          : html`<h2>Plan graph</h2>
              <div class="wide">${planPicture(steps)}</div>`
    }
    ${
      open.length === 0
        ? undefined
        : html`<h2>Left for you</h2>
            ${[...grouped(open, wanted)].map(([title, alike]) => openGroup(title, alike))}`
    }
    ${
      steps.length === 0
        ? undefined
        : html`<h2>Steps</h2>
            ${isLive ? REVIEW_HELP : undefined} ${isUnfolded ? undefined : FILTERS}
            <div id="steps" data-run="${report.run}">
              ${[...grouped(steps, ({ file }) => file)].map(([file, ofFile]) =>
                fileGroup(file, ofFile, isUnfolded, isLive && !report.applied),
              )}
            </div>`
    }
    ${
      undecided.length === 0
        ? undefined
        : html`<h2>Undecided</h2>
            <ul>
              ${undecided.map(({ file, line, reason }) => html`<li>${place(file, line)} ${reason}</li>`)}
            </ul>`
    }
    ${unlistedWords(report).map(({ head, words }) => html`<p>${head}: ${words}.</p>`)}
    ${
      problems.length === 0
        ? undefined
        : html`<h2>Problems</h2>
            <ul>
              ${problems.map(({ file, line, message }) => html`<li>${place(file, line)} ${message}</li>`)}
            </ul>`
    }`;
}

/** What a refactoring was asked to do; it follows from nothing, so it breaks by nothing. */
const isSeed = ({ how }: Step): boolean => how === 'seed';

const isAskedFor = (steps: readonly Step[]): boolean => steps.some(isSeed);

/** Names of changed blocks that are shown; what there are more of is counted. */
const EDITED_MOST = 12;

/** What the person changed before there was a plan; what a refactoring was asked to do is a step of it. */
function followsFrom({ edited = [], steps }: PropagateReport): Html | undefined {
  if (edited.length === 0 || isAskedFor(steps)) return undefined;
  const more = edited.length - EDITED_MOST;
  const names = edited.slice(0, EDITED_MOST).map((name, i) => html`${i === 0 ? '' : ', '}<code>${name}</code>`);
  return html`<p>Follows from ${names}${more > 0 ? ` and ${counted(more, 'other change')}` : ''}.</p>`;
}

/** Said even where it is none: that nothing is open has to be read, not guessed. */
const LEFT = 'left for you';

/** What all of it comes to, before any of it. */
function sums({ run, edited = [], steps, open, undecided, iterations, usage }: PropagateReport): Html {
  const edits = steps.filter(({ diff }) => diff !== '');
  const followers = steps.filter((step) => !isSeed(step));
  const of = (is: (step: Step) => boolean): number => followers.filter(is).length;
  const facts: readonly (readonly [string, string | number])[] = [
    ['asked for', steps.length - followers.length],
    ['edited before', isAskedFor(steps) ? 0 : edited.length],
    ['break', of(({ tier }) => tier === 'breaks') + open.filter(({ tier }) => tier === 'breaks').length],
    ['may have to follow', of(({ tier }) => tier === 'may')],
    ['edits', edits.length],
    ['by rule', edits.filter(({ how }) => how === 'mechanical').length],
    ['files', new Set(edits.map(({ file }) => file)).size],
    ['accepted', edits.filter(({ status }) => status === 'accepted').length],
    ['rejected', edits.filter(({ status }) => status === 'rejected').length],
    [LEFT, open.length],
    ['undecided', undecided.length],
    ['iterations', iterations > 1 ? iterations : 0],
    ...(usage.calls > 0
      ? ([
          ['model calls', usage.calls],
          ['tokens', usage.promptTokens + usage.completionTokens],
          ...(usage.cost === undefined ? [] : [['cost', usage.cost] as const]),
        ] as const)
      : []),
    ['run', run],
  ];
  return html`<dl class="facts">
    ${facts
      .filter(([name, value]) => value !== 0 || name === LEFT)
      .map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
  </dl>`;
}

/** Without a script: what is ticked is hidden by the style, and the browser's own search unfolds what it finds. */
const FILTERS = html`<p class="filters">
  Hide <label><input type="checkbox" id="hide-breaks" /> what breaks</label>
  <label><input type="checkbox" id="hide-may" /> what may have to follow</label>
  <label><input type="checkbox" id="hide-settled" /> what is accepted, applied or rejected</label>
  <span class="causes">The search of the browser finds what is folded, too.</span>
</p>`;

const REVIEW_HELP = html`<p class="filters">
  <input type="search" id="find" placeholder="Find in steps" aria-label="Find in steps" />
  <span class="causes">
    Keys: / finds, Enter leads to it, n and p go to the next and previous step, a accepts it, r rejects it.
  </span>
  <span id="said" role="status"></span>
</p>`;

function fileGroup(file: string, steps: readonly Step[], isUnfolded: boolean, isReviewed: boolean): Html {
  const breaks = steps.filter((step) => step.tier === 'breaks' && !isSeed(step)).length;
  const rejected = steps.filter(({ status }) => status === 'rejected').length;
  const sums = [
    counted(steps.length, 'step'),
    ...(breaks === 0 ? [] : [breaks === 1 ? '1 breaks' : `${breaks} break`]),
    ...(rejected === 0 ? [] : [`${rejected} rejected`]),
  ];
  const articles = (some: readonly Step[]): Html[] => some.map((step) => stepArticle(step, isReviewed));
  const verdicts = (some: readonly Step[]): Html | undefined =>
    isReviewed && some.length > 1 ? verdictButtons(some, `all ${some.length}`) : undefined;
  const groups = [...grouped(steps, changeIn)].map(([change, alike]) =>
    change === '' || alike.length < ALIKE_LEAST || isUnfolded
      ? articles(alike)
      : folded('alike', html`${alike.length} × <code>${change}</code>`, [verdicts(alike), ...articles(alike)], false),
  );
  const head = html`<code>${shownName(file)}</code> ${sums.join(', ')}`;
  return folded('file-group', head, [verdicts(steps), ...groups], isUnfolded);
}

/** What a person can still say something of. */
const REVIEWED: ReadonlySet<Step['status']> = new Set(['proposed', 'accepted', 'rejected', 'blocked']);

function verdictButtons(steps: readonly Step[], what: string): Html {
  const ids = steps.map(({ id }) => id).join(' ');
  const button = (verdict: 'accept' | 'reject', word: string): Html =>
    html`<button type="button" data-verdict="${verdict}" data-steps="${ids}">${word} ${what}</button>`;
  return html`<p class="verdicts">${button('accept', 'Accept')} ${button('reject', 'Reject')}</p>`;
}

function stepArticle(step: Step, isReviewed: boolean): Html {
  const { id, block, status, causes, diff } = step;
  const tier = isSeed(step) ? 'seed' : step.tier;
  const tag = isSeed(step) ? undefined : html` <span class="tag ${tier}">${tier}</span>`;
  return html`<article id="step-${id}" class="${tier} is-${status}" tabindex="-1">
    <h3>${id}. ${block} <span class="tag ${status}">${status}</span>${tag}</h3>
    <p><b>${factAndCause(step)}</b></p>
    <p class="causes">${place(step.file, step.startLine)} · ${howMade(step)}${follows(causes)}</p>
    ${isReviewed && REVIEWED.has(status) && diff !== '' ? verdictButtons([step], '') : undefined}
    ${diff === '' ? html`<p>No edit.</p>` : folded('', 'difference', difference(diff), true)}
  </article>`;
}

/** Which steps led to it, each once. */
function follows(causes: Step['causes']): Html | undefined {
  if (causes.length === 0) return undefined;
  const links = [...new Set(causes.map(({ step }) => step))].map(
    (step, i) =>
      html`${i === 0 ? '' : ', '}${step === 0 ? 'your edit' : html`<a href="#step-${step}">step ${step}</a>`}`,
  );
  return html` · follows from ${links}`;
}

/** Alike ones of many are told once, with the places folded below. */
function openGroup(title: string, alike: readonly Open[]): Html {
  const list = listOf(
    alike.map(({ file, line, block }) => html`${place(file, line)} <b>${block}</b>`),
    'open',
  );
  return folded('alike', html`${alike.length} × ${title}`, list, alike.length < UNFOLDED_MOST);
}

const wanted = (one: Open): string => `${factAndCause(one)} (${neededOf(one.needs, one.value)})`;

function verdict({ name, baseline, after, new: fresh, message }: OracleVerdict): Html {
  if (after === null)
    return html`<p class="verdict unknown">${name} could not run: ${message ?? 'it gave no reason'}</p>`;
  const count = fresh.length === 0 ? 'no new error' : fresh.length === 1 ? '1 new error' : `${fresh.length} new errors`;
  return html`<p class="verdict ${fresh.length === 0 ? 'clean' : 'errors'}">
      ${name}: ${count} (${baseline ?? 'unknown'} before, ${after} after)
    </p>
    ${listOf(fresh.map(({ file, line, severity, message: text }) => html`${place(file, line)} ${severity}: ${text}`))}`;
}

function place(file: string | undefined, line: number | undefined): Html | undefined {
  return file === undefined ? undefined : html`<code>${shownName(file)}${line === undefined ? '' : `:${line}`}</code>`;
}
