/**
 * A plan as one page that needs nothing else: no network, no font, no image of another place, and
 * without `live` no script. Its content policy allows exactly the style (and script) that stand in
 * it, by their hashes, so whatever a repository's names and texts hold stays text.
 */
import { createHash } from 'node:crypto';
import type { Open, OracleVerdict, PropagateReport, Step } from '#protocol/propagate.js';
import { shownDiff, shownName } from '../base/shown.js';
import { Html, html } from './html.js';
import { DRAWN_MOST, planPicture } from './plan-picture.js';
import { STYLE } from './style.js';

/** Above this many, differences are folded until one is clicked. */
const UNFOLDED_MOST = 30;

/**
 * Loads the page anew when the daemon's plan is not the one shown. `events`, beside the page, says the revision at once
 * and at each change: so a change between the page's answer and this connection is seen too.
 */
const RELOAD =
  "new EventSource('events').onmessage=(told)=>{if(told.data!==document.body.dataset.revision)location.reload()}";

export interface PageOptions {
  /** What the plan is about, such as the root's name. */
  readonly title: string;
  /** The revision shown, where a daemon serves the page and says when it has another one. */
  readonly live?: number;
}

/** `report` undefined: no plan was made yet. */
export function planPage(report: PropagateReport | undefined, { title, live }: PageOptions): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${contentPolicy(live !== undefined)}" />
        <meta name="referrer" content="no-referrer" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>codeplan: ${title}</title>
        ${exactly('style', STYLE)}
      </head>
      <body${live === undefined ? undefined : html` data-revision="${live}"`}>
        <h1>${title}</h1>
        ${report === undefined ? html`<p>No plan was made yet. It appears here as soon as there is one.</p>` : body(report)}
        ${live !== undefined ? exactly('script', RELOAD) : undefined}
      </body>
    </html> `.source;
}

/** In no template, which may be laid out anew: the policy allows the content to the byte. */
const exactly = (tag: 'style' | 'script', content: string): Html => new Html(`<${tag}>${content}</${tag}>`);

/** As a header where the page is served; it also stands in the page. */
export function contentPolicy(live: boolean): string {
  const scripts = live ? `; script-src '${hashOf(RELOAD)}'; connect-src 'self'` : '';
  return `default-src 'none'; style-src '${hashOf(STYLE)}'${scripts}; base-uri 'none'; form-action 'none'`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function body(report: PropagateReport): Html {
  const { steps, open, undecided, oracle, usage, problems } = report;
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
