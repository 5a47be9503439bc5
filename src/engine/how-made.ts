/** Who made a step's edit, in words. */
import type { Step } from '#protocol/propagate.js';

const MADE: Readonly<Record<Step['how'], string>> = {
  seed: 'as asked for',
  mechanical: 'by rule',
  model: 'by a model',
  replay: 'replayed',
  person: 'by hand',
};

/** `by rule rename`; what nobody made yet names nobody. */
export const howMade = ({ how, rule }: Pick<Step, 'how' | 'rule'>): string =>
  how === 'mechanical' ? `${MADE[how]} ${rule}` : MADE[how];
