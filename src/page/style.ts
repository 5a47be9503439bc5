/** How the page looks. A constant, because the page's content policy names its hash. */
export const STYLE = `
:root {
  color-scheme: light dark; --text: #1f2328; --dim: #59636e; --line: #d1d9e0; --back: #fff; --box: #f6f8fa;
  --red: #b3261e; --green: #1a7f37; --amber: #8a5a00; --blue: #0957c3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e6edf3; --dim: #9198a1; --line: #3d444d; --back: #0d1117; --box: #151b23; --red: #ff8a80;
    --green: #56d364; --amber: #e3b341; --blue: #79b8ff;
  }
}
body {
  font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); max-width: 1100px;
  margin: 2rem auto; padding: 0 1rem;
}
h1 { font-size: 1.5rem; }
h2 { font-size: 1.15rem; margin-top: 2rem; }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
a { color: var(--blue); }
p, li { overflow-wrap: anywhere; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
.facts { display: flex; flex-wrap: wrap; gap: 1.5rem; margin: 0; }
.facts dt { color: var(--dim); font-size: .8rem; }
.facts dd { margin: 0; font-weight: 600; }
.verdict { border-left: 4px solid var(--line); padding: .4rem .8rem; background: var(--box); }
.verdict.clean { border-color: var(--green); }
.verdict.errors { border-color: var(--red); }
.wide { overflow: auto; max-height: 70vh; border: 1px solid var(--line); border-radius: 6px; padding: 1rem; }
.plan rect { fill: var(--box); stroke: var(--line); }
.plan .breaks rect { stroke: var(--red); }
.plan .may rect { stroke: var(--amber); }
.plan .seed rect { stroke: var(--blue); }
.plan .rejected rect, .plan .blocked rect, .plan .failed rect, .plan .pending rect { stroke-dasharray: 4 3; }
.plan text { fill: var(--text); font: 12px ui-monospace, monospace; }
.plan text.small { fill: var(--dim); font-size: 10px; }
.plan .edge { fill: none; stroke: var(--dim); }
.plan .tip { fill: var(--dim); }
article {
  border: 1px solid var(--line); border-left: 4px solid var(--line); border-radius: 6px; padding: .8rem 1rem;
  margin: .8rem 0;
}
article.breaks { border-left-color: var(--red); }
article.may { border-left-color: var(--amber); }
article.seed { border-left-color: var(--blue); }
article:target { background: var(--box); }
article p { margin: .3rem 0; }
.causes { color: var(--dim); }
.tag { font-size: .75rem; font-weight: 400; border: 1px solid var(--line); border-radius: 99px; padding: 0 .5rem; }
.tag.applied, .tag.verified, .tag.accepted { color: var(--green); }
.tag.failed, .tag.rejected, .tag.breaks { color: var(--red); }
.tag.proposed, .tag.pending, .tag.may, .tag.blocked, .tag.stale { color: var(--amber); }
.tag.checked, .tag.merged, .tag.proposed { color: var(--green); }
.tag.needs-person, .tag.needs-value { color: var(--amber); }
.sums th { text-align: left; font-weight: 600; padding-right: 1rem; }
.sums td { padding-right: 1rem; }
.sums td:nth-child(2) { text-align: right; }
body:not([data-ended]) > .ended { display: none; }
.ended {
  position: sticky; top: 0; margin: 0; padding: .4rem .8rem; background: var(--box); border: 1px solid var(--amber);
}
article.repository { padding: .35rem .8rem; margin: .35rem 0; }
article.repository > details > summary { color: var(--dim); overflow-wrap: anywhere; }
article.repository > details > summary :is(b, .why) { color: var(--text); }
article.fits { border-left-color: var(--green); }
.bar rect { fill: var(--line); }
.bar.fits .part { fill: var(--green); }
.bar.may .part { fill: var(--amber); }
.bar.breaks .part { fill: var(--red); }
details > summary { cursor: pointer; color: var(--dim); }
details.file-group { border-top: 1px solid var(--line); padding: .4rem 0; }
details.file-group > summary code { color: var(--text); font-weight: 600; }
details.alike { margin: .3rem 0 .3rem 1rem; }
details.alike > summary { color: var(--text); }
.verdicts { margin: .4rem 0; }
button, #find {
  font: inherit; color: inherit; background: var(--box); border: 1px solid var(--line); border-radius: 6px;
  padding: .1rem .6rem;
}
button { cursor: pointer; }
button:hover { border-color: var(--blue); }
article.is-rejected pre { opacity: .5; }
[hidden] { display: none !important; }
.filters label { margin-left: .8rem; }
:focus-visible { outline: 2px solid var(--blue); outline-offset: 2px; }
body:has(#hide-breaks:checked) article.breaks,
body:has(#hide-may:checked) article.may,
body:has(#hide-settled:checked) article:is(.is-accepted, .is-applied, .is-verified, .is-rejected) {
  display: none;
}
body:has(#hide-breaks:checked) details:is(.file-group, .alike):has(article):not(:has(article:not(.breaks))),
body:has(#hide-may:checked) details:is(.file-group, .alike):has(article):not(:has(article:not(.may))) {
  display: none;
}
pre.diff { overflow-x: auto; background: var(--box); padding: .6rem; margin: .4rem 0 0; }
pre.diff span { display: inline-block; min-width: 100%; }
.added { background: color-mix(in srgb, var(--green) 18%, transparent); }
.removed { background: color-mix(in srgb, var(--red) 16%, transparent); }
pre.diff i { font-style: normal; }
.hljs-keyword, .hljs-literal, .hljs-built_in, .hljs-type { color: var(--blue); }
.hljs-comment, .hljs-meta { color: var(--dim); }
.hljs-string, .hljs-number, .hljs-regexp { color: var(--amber); }
.hljs-title { font-weight: 600; }
.hunk { color: var(--blue); }
.file { font-weight: 600; }
`;
