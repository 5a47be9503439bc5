/** What a page shows once somebody unfolds it. */
import { Html, html, type Part } from './html.js';

const OPEN = new Html(' open');

export const folded = (name: string, head: Part, content: Part, isUnfolded: boolean): Html =>
  html`<details class="${name}"${isUnfolded ? OPEN : undefined}><summary>${head}</summary>
    ${content}</details>`;
