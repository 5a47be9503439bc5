/** The repository tools there are. A new one is a file and a line here. */
import { methodBody } from './body.js';
import { classInfo } from './class-info.js';
import { groundTool } from './ground-tool.js';
import { imports } from './imports.js';
import { relatedSnippets, relevantCode } from './relevant-code.js';
import { signature } from './signature.js';
import type { AnyTool } from './tool.js';

export const REPOSITORY_TOOLS: readonly AnyTool[] = [
  classInfo,
  signature,
  methodBody,
  imports,
  relevantCode,
  relatedSnippets,
  groundTool,
];
