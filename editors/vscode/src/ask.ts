/** Asks for a value that a plan cannot know: a choice among what would do, or any expression. */
import { window } from 'vscode';
import type { Open } from '../../../protocol/propagate.js';

const OTHER = 'Another expression…';
const EVERYWHERE = 'For all places that need it';
const HERE = 'For this place alone';

/** As `values` of a plan; undefined where nothing was given. */
export async function valueFor(open: Open): Promise<Record<string, string> | undefined> {
  if (open.value === undefined) return undefined;
  const title = `Value for ${open.value} (${open.block} in ${open.file})`;
  const here = open.choicesHere ?? [];
  const choices = [...(open.choices ?? []), ...here];
  const chosen = choices.length === 0 ? OTHER : await window.showQuickPick([...choices, OTHER], { title });
  const given = chosen === OTHER ? await window.showInputBox({ title, ignoreFocusOut: true }) : chosen;
  if (given === undefined || given === '') return undefined;
  if (open.key === undefined) return { [open.value]: given };
  const scope = here.includes(given)
    ? HERE
    : await window.showQuickPick([EVERYWHERE, HERE], { title: `${given}: ${title}` });
  return scope === undefined ? undefined : { [scope === HERE ? open.key : open.value]: given };
}
