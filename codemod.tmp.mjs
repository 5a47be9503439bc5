import ts from 'typescript'; import fs from 'node:fs'; import path from 'node:path';
const root='/tmp/words-work'; const dirs=process.argv.slice(2);
const cfg=ts.getParsedCommandLineOfConfigFile(path.join(root,'src/tsconfig.json'),{},{...ts.sys,onUnRecoverableConfigFileDiagnostic:d=>{throw d}});
const program=ts.createProgram(cfg.fileNames,cfg.options); const ck=program.getTypeChecker();
const COLS={Declarations:{kind:'kindOf',flags:'flagsOf',name:'nameIdOf',nameStart:'nameStartOf',start:'startOf',end:'endOf',bodyStart:'bodyStartOf',scope:'scopeOf',inner:'innerOf',parent:'parentOf',type:'typeOf',value:'valueOf',headerHash:'headerHashOf',bodyHash:'bodyHashOf',params:'PARAMS',parts:'PARTS',decorators:'DECORATORS',typeParams:'TYPEPARAMS'},
Expressions:{op:'opOf',role:'roleOf',name:'nameIdOf',start:'startOf',end:'endOf',scope:'scopeOf',a:'A',b:'B'},Scopes:{kind:'kindOf',parent:'parentOf',owner:'ownerOf',block:'blockOf'}};
const LISTS={params:'paramsOf',parts:'partsList',decorators:'decoratorsOf',typeParams:'typeParamsOf'};
const className=t=>t.getSymbol()?.name ?? t.aliasSymbol?.name;
const alias={DeclColumns:'Declarations',ExprColumns:'Expressions',ScopeColumns:'Scopes'};
const clsOf=e=>{const n=className(ck.getTypeAtLocation(e)); return alias[n]??n;};
for (const sf of program.getSourceFiles()) {
  if (!dirs.some(d=>sf.fileName.startsWith(path.join(root,'src',d)+'/'))) continue;
  const src=sf.text; 
  const txt=n=>src.slice(n.getStart(sf),n.getEnd());
  // returns {obj, cls, col, idx} for element access
  function access(n){
    if(!ts.isElementAccessExpression(n)) return;
    const o=n.expression; 
    if(ts.isPropertyAccessExpression(o)){ const cls=clsOf(o.expression); const col=o.name.text; if(COLS[cls]?.[col]) return {obj:gen(o.expression),cls,col,idx:n.argumentExpression}; return; }
    if(ts.isIdentifier(o)){ const sym=ck.getSymbolAtLocation(o); const d=sym?.declarations?.[0]; if(d&&ts.isBindingElement(d)&&ts.isObjectBindingPattern(d.parent)){ const cls0=className(ck.getTypeAtLocation(d.parent)); const cls=alias[cls0]??cls0; const col=(d.propertyName??d.name).getText(sf); const vd=d.parent.parent; if(COLS[cls]?.[col]&&ts.isVariableDeclaration(vd)&&vd.initializer) return {obj:txt(vd.initializer),cls,col,idx:n.argumentExpression};
       } }
  }
  function ctxA(n,isB){ // pick by nearby op
    let p=n; while(p.parent && !ts.isStatement(p) && !ts.isArrowFunction(p)) p=p.parent;
    let t=txt(p); if(t.length>1200) t=t.slice(0,1200);
    let q=n; for(let i=0;i<8&&q.parent;i++){q=q.parent; if(ts.isBinaryExpression(q)||ts.isConditionalExpression(q)||ts.isIfStatement(q)||ts.isCaseClause(q)){ const tt=txt(q); if(/E\.\w+/.test(tt)){t=tt;break;} } }
    const has=x=>new RegExp(`\\bE\\.${x}\\b`).test(t);
    if(isB){ if(has('store'))return 'storedOf'; return 'secondOf';}
    if(has('store'))return 'placeOf'; if(has('closure'))return 'closureOf'; if(has('member')||has('index')||has('initializer'))return 'baseOf'; if(has('call')||has('new'))return 'calleeOf'; return 'operandOf';
  }
  const isNum=n=>ts.isAsExpression(n)&&n.type.kind===ts.SyntaxKind.NumberKeyword;
  const strip=n=>{while(ts.isParenthesizedExpression(n)||isNum(n))n=n.expression;return n;};
  function gen(n){
    // names[exprs.name[e] as number] as string
    if(ts.isAsExpression(n)&&n.type.kind===ts.SyntaxKind.StringKeyword&&ts.isElementAccessExpression(strip(n.expression))){
      const ea=strip(n.expression); const inner=strip(ea.argumentExpression); const acc=access(inner);
      if(acc&&acc.col==='name'&&/names$/.test(txt(ea.expression))) return `${acc.obj}.nameOf(${gen(acc.idx)})`;
    }
    if(ts.isParenthesizedExpression(n)&&isNum(n.expression)&&access(strip(n.expression))) return gen(strip(n.expression));
    if(ts.isParenthesizedExpression(n)&&ts.isAsExpression(n.expression)&&n.expression.type.kind===ts.SyntaxKind.StringKeyword){ const g=gen(n.expression); if(g!==txt(n.expression)) return g; }
    if(isNum(n)&&access(strip(n.expression))) return gen(strip(n.expression));
    // flags
    if(ts.isBinaryExpression(n)&&(n.operatorToken.kind===ts.SyntaxKind.ExclamationEqualsEqualsToken||n.operatorToken.kind===ts.SyntaxKind.EqualsEqualsEqualsToken)&&txt(n.right)==='0'){
      const l=strip(n.left); if(ts.isBinaryExpression(l)&&l.operatorToken.kind===ts.SyntaxKind.AmpersandToken){ const acc=access(strip(l.left)); if(acc&&acc.col==='flags'){ let m=strip(l.right); return `${n.operatorToken.kind===ts.SyntaxKind.ExclamationEqualsEqualsToken?'':'!'}${acc.obj}.has(${gen(acc.idx)}, ${gen(m)})`; } } }
    if(ts.isElementAccessExpression(n)&&/names$/.test(txt(n.expression))){ const acc=access(strip(n.argumentExpression)); if(acc&&acc.col==='name') return `${acc.obj}.nameOf(${gen(acc.idx)})`; }
    if(ts.isCallExpression(n)&&txt(n.expression)==='listAt'&&n.arguments.length===2){ const acc=access(strip(n.arguments[1])); if(acc){ if(LISTS[acc.col]&&acc.cls==='Declarations') { let m=LISTS[acc.col]; if(m==='partsList'){ m=/base|type|owner|class|inherit/i.test(txt(acc.idx))||/base/i.test(src.slice(Math.max(0,n.pos-200),n.end+120))?'basesOf':'resultsOf'; } return `${acc.obj}.${m}(${gen(acc.idx)})`; } if(acc.cls==='Expressions'&&acc.col==='b') return `${acc.obj}.partsOf(${gen(acc.idx)})`; } }
    // subarray
    if(ts.isCallExpression(n)&&ts.isPropertyAccessExpression(n.expression)&&n.expression.name.text==='subarray'&&n.arguments.length===2){
      const t=txt(n.expression.expression); const a0=strip(n.arguments[0]); if(ts.isElementAccessExpression(a0)){ const m=t.match(/^(?:(.*)\.)?(refs|declsByName)$/s); if(m){ const s=m[1]??'SUMMARY'; return `${s}.${m[2]==='refs'?'exprs':'decls'}.named(${gen(a0.argumentExpression)})`; } } }
    const acc=access(n); if(acc){ let m=COLS[acc.cls][acc.col]; if(m==='A')m=ctxA(n,false); else if(m==='B')m=ctxA(n,true); else if(/^[A-Z]/.test(m)) return null ?? childGen(n); return `${acc.obj}.${m}(${gen(acc.idx)})`; }
    return childGen(n);
  }
  function childGen(n){ let out='',pos=n.getStart(sf); const kids=[]; ts.forEachChild(n,c=>{kids.push(c)}); kids.sort((x,y)=>x.getStart(sf)-y.getStart(sf)); for(const c of kids){ const s=c.getStart(sf); if(s<pos) continue; out+=src.slice(pos,s)+gen(c); pos=c.getEnd(); } return out+src.slice(pos,n.getEnd()); }
  const out=src.slice(0,sf.getStart(sf))+childGen(sf)+src.slice(sf.getEnd());
  if(out!==src){ fs.writeFileSync(sf.fileName,out); console.log(path.relative(root,sf.fileName)); }
}
