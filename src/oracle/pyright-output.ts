/**
 * Pyright's `--outputjson` document. Its positions are 0-based; ends are exclusive.
 *
 * Other text around the document (a launcher's notice of an update) is skipped. What is not such a
 * document gives no diagnostics, so that the caller sees a failed run rather than a clean one.
 */
import type { Diagnostic, Severity } from './diagnostic.js';

export function readPyright(output: string): Diagnostic[] {
  const start = output.indexOf('{');
  const end = output.lastIndexOf('}');
  if (start === -1 || end < start) return [];
  const found = property(parsed(output.slice(start, end + 1)), 'generalDiagnostics');
  return Array.isArray(found) ? found.flatMap(diagnosticOf) : [];
}

/** Undefined for text that is no JSON: broken output is data, told apart by the caller. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function diagnosticOf(entry: unknown): Diagnostic[] {
  const file = property(entry, 'file');
  const message = property(entry, 'message');
  if (typeof file !== 'string' || typeof message !== 'string') return [];
  const start = property(property(entry, 'range'), 'start');
  const end = property(property(entry, 'range'), 'end');
  const rule = property(entry, 'rule');
  return [
    {
      file,
      line: position(start, 'line'),
      column: position(start, 'character'),
      endLine: position(end, 'line'),
      endColumn: position(end, 'character'),
      severity: severityOf(property(entry, 'severity')),
      message,
      ...(typeof rule === 'string' ? { code: rule } : {}),
    },
  ];
}

function position(place: unknown, axis: 'line' | 'character'): number {
  const value = property(place, axis);
  return typeof value === 'number' ? value + 1 : 1;
}

function severityOf(word: unknown): Severity {
  return word === 'error' || word === 'warning' ? word : 'info';
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
