// Writes the man page from docs/cli.md, whose forms it knows: headings, paragraphs, lists, tables of two columns, code.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const { version, description } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const page = readFileSync(new URL('../docs/cli.md', import.meta.url), 'utf8');

/** A line of text as roff has it: a leading dot or quote would be a command. */
const escaped = (text) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/u, '\\&$1');
const inBold = (text) =>
  text
    .replace(/\[([^\]]+)\]\([^)]+\)/gu, '$1')
    .replace(/(`+)(.+?)\1/gu, '\u0001$2\u0002')
    .replace(/\*\*(.+?)\*\*/gu, '\u0001$1\u0002');
const styled = (text) => escaped(inBold(text)).replaceAll('\u0001', '\\fB').replaceAll('\u0002', '\\fP');

const out = [
  `.TH CODEPLAN 1 "" "codeplan ${version}" "User Commands"`,
  '.SH NAME',
  `codeplan \\- ${escaped(description[0].toLowerCase() + description.slice(1).replace(/\.$/u, ''))}`,
  '.SH SYNOPSIS',
  '\\fBcodeplan\\fP \\fIcommand\\fP [\\fIoptions\\fP]',
  '.SH DESCRIPTION',
];
let isCode = false;
for (const line of page.split('\n').slice(1)) {
  const cells = /^\|(.*)\|$/u.exec(line)?.[1].split(/(?<!\\)\|/u);
  if (line.startsWith('```')) {
    isCode = !isCode;
    out.push(...(isCode ? ['.PP', '.nf', '.RS 4'] : ['.RE', '.fi']));
  } else if (isCode) out.push(escaped(line));
  else if (line.startsWith('#')) out.push(`.SH ${styled(line.replace(/^#+ /u, '').toUpperCase())}`);
  else if (cells !== undefined) {
    const [term = '', ...rest] = cells.map((cell) => cell.trim());
    // The line under a head, and the head itself.
    if (/^-+$/u.test(term)) out.splice(out.lastIndexOf('.TP'));
    else out.push('.TP', styled(term) || '\\&', styled(rest.join(' ')));
  } else if (line.startsWith('- ')) out.push('.IP \\(bu 2', styled(line.slice(2)));
  else out.push(line.trim() === '' ? '.PP' : styled(line.replace(/^ {4}/u, '')));
}
const target = new URL('../dist/man/codeplan.1', import.meta.url);
mkdirSync(new URL('.', target), { recursive: true });
writeFileSync(target, `${out.join('\n')}\n`);
