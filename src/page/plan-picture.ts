/**
 * The plan graph drawn as SVG: a column for each distance from the person's edit, and an arrow from
 * each step to those that it caused. A node leads to its step's place in the page.
 *
 *     your edit ──► 1 Store.put ──► 3 save
 *              └──► 2 report
 */
import { shownName } from '../base/shown.js';
import type { Step } from '#protocol/propagate.js';
import { howMade } from '../engine/how-made.js';
import { html, type Html } from './html.js';

/** More than this no eye follows; all are listed below the picture anyway. */
export const DRAWN_MOST = 40;

/**
 * In pixels: a box for a file's name above a block's, in two lines of small type, with room for arrows between the
 * columns.
 */
const WIDTH = 190;
const HEIGHT = 38;
const GAP_X = 70;
const GAP_Y = 14;
const LABEL_LENGTH = 26;
/** The person's own edit. */
const SEED = 0;

interface Node {
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

export function planPicture(steps: readonly Step[]): Html {
  const drawn = steps.slice(0, DRAWN_MOST);
  const nodes = placed(drawn);
  const hasSeed = drawn.some(({ id }) => id === SEED);
  const right = Math.max(...[...nodes.values()].map((node) => node.x)) + WIDTH + 1;
  const bottom = Math.max(...[...nodes.values()].map((node) => node.y)) + HEIGHT + 1;
  return html`<svg
    class="plan"
    width="${right}"
    height="${bottom}"
    viewBox="0 0 ${right} ${bottom}"
    role="img"
    aria-label="plan graph"
  >
    <defs>
      <marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">
        <path class="tip" d="M0 0 8 4 0 8z" />
      </marker>
    </defs>
    ${drawn.flatMap(({ id, causes }) =>
      [...new Set(causes.map(({ step }) => step))].map((step) => arrow(nodes.get(step), nodes.get(id))),
    )}
    ${hasSeed ? undefined : seedNode(nodes.get(SEED))} ${drawn.map((step) => stepNode(step, nodes.get(step.id)))}
  </svg>`;
}

/** Steps come in the order in which they arose: the first cause of each has its column already. */
function placed(steps: readonly Step[]): ReadonlyMap<number, Node> {
  const columns = new Map<number, number>([[SEED, 0]]);
  const filled: number[] = [1];
  const nodes = new Map<number, Node>([[SEED, { id: SEED, x: 1, y: 1 }]]);
  for (const { id, causes } of steps) {
    const before = causes.flatMap((cause) => columns.get(cause.step) ?? []);
    const column = 1 + (before.length === 0 ? 0 : Math.min(...before));
    columns.set(id, column);
    const row = filled[column] ?? 0;
    filled[column] = row + 1;
    nodes.set(id, { id, x: 1 + column * (WIDTH + GAP_X), y: 1 + row * (HEIGHT + GAP_Y) });
  }
  return nodes;
}

function arrow(from: Node | undefined, to: Node | undefined): Html | undefined {
  if (from === undefined || to === undefined) return undefined;
  const [x1, y1, x2, y2] = [from.x + WIDTH, from.y + HEIGHT / 2, to.x - 2, to.y + HEIGHT / 2];
  const bend = x1 + GAP_X / 2;
  return html`<path class="edge" d="M${x1} ${y1}C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}" marker-end="url(#arrow)" />`;
}

function seedNode(node: Node | undefined): Html | undefined {
  return (
    node &&
    html`<g class="node seed"
      ><rect x="${node.x}" y="${node.y}" width="${WIDTH}" height="${HEIGHT}" rx="6" /><text
        x="${node.x + 10}"
        y="${node.y + 24}"
        >your edit</text
      ></g
    >`
  );
}

function stepNode(step: Step, node: Node | undefined): Html | undefined {
  const { id, block, file, tier, how, status } = step;
  return (
    node &&
    html`<a href="#step-${id}"
      ><g class="node ${how === 'seed' ? how : tier} ${status}"
        ><title>${shownName(file)}: ${block}, ${howMade(step)}, ${status}</title
        ><rect x="${node.x}" y="${node.y}" width="${WIDTH}" height="${HEIGHT}" rx="6" />
        <text x="${node.x + 10}" y="${node.y + 16}">${shortened(`${id} ${block}`)}</text
        ><text class="small" x="${node.x + 10}" y="${node.y + 30}">${shortened(shownName(file))}</text></g
      ></a
    >`
  );
}

/** The end of a name says more than its beginning. */
function shortened(text: string): string {
  const characters = Array.from(text);
  return characters.length <= LABEL_LENGTH ? text : `…${characters.slice(1 - LABEL_LENGTH).join('')}`;
}
