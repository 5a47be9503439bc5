/** A plan as one page that needs nothing else. */
import type { Open, OracleVerdict, PropagateReport, Step } from '#protocol/propagate.js';
import { shownDiff, shownName } from '../base/shown.js';
import { unsearchedWords } from '../impact/unsearched.js';
import { framed, type PageOptions } from './frame.js';
import { Html, html } from './html.js';
import { DRAWN_MOST, planPicture } from './plan-picture.js';

/** Above this many, differences are folded until one is clicked. */
const UNFOLDED_MOST = 30;

/** `report` undefined: no plan was made yet. */
export function planPage(report: PropagateReport | undefined, options: PageOptions): string {
  return framed(
    options,
    report === undefined ? html`<p>No plan was made yet. It appears here as soon as there is one.</p>` : body(report),
  );
}

function body(report: PropagateReport): Html {
  const { steps, open, undecided, unsearched, oracle, usage, problems } = report;
  const edits = steps.filter((step) => step.diff !== '').length;
  const facts = [
    ['run', report.run],
    ['edits', edits],
    ['open', open.length],
    ['iterations', report.iterations],
    ...(usage.calls > 0
      ? [
          ['model calls', usage.calls],
          ['tokens', usage.promptTokens + usage.completionTokens],
          ...(usage.cost === undefined ? [] : [['cost', usage.cost]]),
        ]
      : []),
  ] as const;
  return html`<dl class="facts">
      ${facts.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    ${oracle === null ? html`<p class="verdict unknown">No oracle has checked this plan.</p>` : verdict(oracle)}
    ${report.applied ? html`<p>These edits are written. ${report.undo === undefined ? undefined : html`Take them back with <code>${report.undo}</code>.`}</p>` : undefined}
    ${
      steps.length === 0
        ? html`<p>Nothing has to follow.</p>`
        : html`<h2>Plan graph</h2>
            <div class="wide">${planPicture(steps)}</div>`
    }
    ${steps.length > DRAWN_MOST ? html`<p>The first ${DRAWN_MOST} of ${steps.length} steps are drawn; all are listed.</p>` : undefined}
    ${
      steps.length === 0
        ? undefined
        : html`<h2>Steps</h2>
            ${steps.map((step) => stepArticle(step, steps.length <= UNFOLDED_MOST))}`
    }
    ${
      open.length === 0
        ? undefined
        : html`<h2>Left for you</h2>
            <ul class="open">
              ${open.map(openItem)}
            </ul>`
    }
    ${
      undecided.length === 0
        ? undefined
        : html`<h2>Undecided</h2>
            <ul>
              ${undecided.map(({ file, line, reason }) => html`<li>${place(file, line)} ${reason}</li>`)}
            </ul>`
    }
    ${unsearched === undefined ? undefined : html`<p>${unsearchedWords(unsearched)}.</p>`}
    ${
      problems.length === 0
        ? undefined
        : html`<h2>Problems</h2>
            <ul>
              ${problems.map(({ file, line, message }) => html`<li>${place(file, line)} ${message}</li>`)}
            </ul>`
    }`;
}

function stepArticle(step: Step, unfolded: boolean): Html {
  const { id, block, status, how, rule, tier, reason, causes, diff } = step;
  return html`<article id="step-${id}" class="${tier}">
    <h3>${id}. ${block} <span class="tag ${status}">${status}</span> <span class="tag ${tier}">${tier}</span></h3>
    <p>${place(step.file, step.startLine)} · ${how}: <code>${rule}</code></p>
    <p>${reason}</p>
    <p class="causes">Caused by ${causes.map((cause, i) => html`${i === 0 ? '' : ', '}${causeLink(cause)}`)}.</p>
    ${diff === '' ? html`<p>No edit.</p>` : html`<details${unfolded ? new Html(' open') : undefined}><summary>difference</summary><pre class="diff">${shownDiff(diff).map(diffLine)}</pre></details>`}
  </article>`;
}

function causeLink({ step, relation, label }: Step['causes'][number]): Html {
  return html`${step === 0 ? 'your edit' : html`<a href="#step-${step}">step ${step}</a>`} (${relation}, ${label})`;
}

const LINE_KINDS: readonly (readonly [start: string, name: string])[] = [
  ['+++', 'file'],
  ['---', 'file'],
  ['@@', 'hunk'],
  ['+', 'added'],
  ['-', 'removed'],
];

function diffLine(line: string): Html {
  const name = LINE_KINDS.find(([start]) => line.startsWith(start))?.[1] ?? 'same';
  return html`<span class="${name}">${line}</span>${'\n'}`;
}

function openItem({ file, line, block, reason, needs, value }: Open): Html {
  return html`<li>
    ${place(file, line)} <b>${block}</b>: ${reason}
    <span class="tag pending"
      >${needs === 'value' && value !== undefined ? `needs a value for ${value}` : `needs a ${needs}`}</span
    >
  </li>`;
}

function verdict({ name, baseline, after, new: fresh, message }: OracleVerdict): Html {
  if (after === null)
    return html`<p class="verdict unknown">${name} could not run: ${message ?? 'it gave no reason'}</p>`;
  const count = fresh.length === 0 ? 'no new error' : fresh.length === 1 ? '1 new error' : `${fresh.length} new errors`;
  return html`<p class="verdict ${fresh.length === 0 ? 'clean' : 'errors'}">
      ${name}: ${count} (${baseline ?? 'unknown'} before, ${after} after)
    </p>
    ${
      fresh.length === 0
        ? undefined
        : html`<ul>
            ${fresh.map((finding) => html`<li>${place(finding.file, finding.line)} ${finding.severity}: ${finding.message}</li>`)}
          </ul>`
    }`;
}

function place(file: string | undefined, line: number | undefined): Html | undefined {
  return file === undefined ? undefined : html`<code>${shownName(file)}${line === undefined ? '' : `:${line}`}</code>`;
}
