/** The forms of a review for programs and for other sites. A new one is a file and a line here. */
import type { ImpactReport } from '#protocol/impact.js';
import { shownJson } from '../base/shown.js';
import { impactAnnotations } from './github.js';
import { impactMarkdown } from './markdown.js';
import { impactSarif } from './sarif.js';

/** The whole text, with its last line break. */
export const REVIEW_FORMATS = {
  markdown: (report) => impactMarkdown(report),
  sarif: (report, version) => `${shownJson(impactSarif(report, version), 2)}\n`,
  github: (report) => impactAnnotations(report),
} as const satisfies Readonly<Record<string, (report: ImpactReport, version: string) => string>>;

export type ReviewFormat = keyof typeof REVIEW_FORMATS;
