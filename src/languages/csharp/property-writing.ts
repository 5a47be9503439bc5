/**
 * How a C# method without parameters is written as a property, and back:
 *
 *     int Size() => 3;            int Size => 3;
 *     int Size() { return 3; }    int Size { get { return 3; } }
 *     int Size();                 int Size { get; }
 *
 * Lines of a body go in or out by one level. A text that spans lines would change with them: then
 * nothing is offered.
 */
import type { TextEdit } from '../../base/text-edit.js';
import type { MemberText, PropertyWriting } from '../writing.js';

export const propertyWriting: PropertyWriting = {
  fromMethod: (member) => {
    if (/\b(?:void|async)\b/.test(member.text.slice(member.start, member.name))) return undefined;
    const body = /^\s*\(\s*\)(\s*)([\s\S]*)$/.exec(member.text.slice(member.nameEnd, member.end));
    if (body === null) return undefined;
    const [, gap = '', rest = ''] = body;
    if (rest === ';') return behindName(member, ' { get; }');
    if (rest.startsWith('=>')) return behindName(member, `${gap}${rest}`);
    return rest.startsWith('{') ? behindName(member, wrapped(member, gap, rest)) : undefined;
  },
  toMethod: (member) => {
    const rest = member.text.slice(member.nameEnd, member.end);
    if (/^\s*=>/.test(rest)) return behindName(member, `()${rest}`);
    if (/^\s*\{\s*get\s*;\s*\}$/.test(rest)) return member.isBodiless ? behindName(member, '();') : undefined;
    const arrow = /^\s*\{\s*get\s*(=>[^;]*;)\s*\}$/.exec(rest);
    if (arrow !== null) return behindName(member, `() ${arrow[1] ?? ''}`);
    const getter = /^(\s*)\{\s*get\s*(\{[\s\S]*\})\s*\}$/.exec(rest);
    return getter === null || !isOneBlock(getter[2] ?? '')
      ? undefined
      : behindName(member, unwrapped(member, getter[1] ?? '', getter[2] ?? ''));
  },
};

const behindName = ({ nameEnd, end }: MemberText, text: string | undefined): readonly TextEdit[] | undefined =>
  text === undefined ? undefined : [{ start: nameEnd, end, text }];

/** Whether the first brace is closed by the last one alone. */
function isOneBlock(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth === 0) return i === text.length - 1;
  }
  return false;
}

const hasLongText = (body: string): boolean => /@\$?"|\$@"|"""/.test(body);
const indentAt = ({ text, name }: MemberText): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', name) + 1))?.[0] ?? '';

/** One level, as the body's first line is deeper than the header. */
function unitOf(outer: string, body: string): string {
  const first = /\n([ \t]*)[^\s}]/.exec(body)?.[1] ?? '';
  return first.startsWith(outer) && first.length > outer.length ? first.slice(outer.length) : '    ';
}

function wrapped(member: MemberText, gap: string, body: string): string | undefined {
  if (!body.includes('\n')) return `${gap.includes('\n') ? ' ' : gap}{ get ${body} }`;
  if (hasLongText(body)) return undefined;
  const eol = body.includes('\r\n') ? '\r\n' : '\n';
  const outer = indentAt(member);
  const unit = unitOf(outer, body);
  const inner = body
    .split(eol)
    .map((line, i) => (i === 0 || line.trim() === '' ? line : unit + line))
    .join(eol);
  const open = gap.includes('\n') ? `${eol}${outer}` : ' ';
  const get = gap.includes('\n') ? `get${eol}${outer}${unit}` : 'get ';
  return `${open}{${eol}${outer}${unit}${get}${inner}${eol}${outer}}`;
}

function unwrapped(member: MemberText, gap: string, body: string): string | undefined {
  if (!body.includes('\n')) return `() ${body}`;
  if (hasLongText(body)) return undefined;
  const eol = body.includes('\r\n') ? '\r\n' : '\n';
  const outer = indentAt(member);
  const close = /\n([ \t]*)\}$/.exec(body)?.[1] ?? outer;
  const unit = close.startsWith(outer) ? close.slice(outer.length) : '';
  const inner = body
    .split(eol)
    .map((line, i) => (i > 0 && line.startsWith(outer + unit) ? outer + line.slice(outer.length + unit.length) : line))
    .join(eol);
  return `()${gap.includes('\n') ? `${eol}${outer}` : ' '}${inner}`;
}
