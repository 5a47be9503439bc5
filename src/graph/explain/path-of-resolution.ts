/**
 * The path of resolution: the facts through which a site leads to its target, as the resolver
 * found them.
 *
 *     store.put(1)    store is a parameter of type Store (job.py:4)
 *                     Store is imported from store (job.py:1)
 *                     Store declares put (store.py:2)
 *
 * Reads the questions that a `TracingResolver` notes. Of several ways to one target the first is
 * told. Where a receiver's type is not known, the path tells where the search for it ended.
 */
import type { DeclRef, Entity } from '../../languages/language.js';
import { sameDecl } from '../../syntax/rows.js';
import { D, E, F, isClassLike, isFunctionLike, NARROWED, R, type Summary } from '../../syntax/summary.js';
import { heldAs } from '../resolve/declaration-types.js';
import { declaredThis } from '../resolve/expression-types.js';
import { endOfReceiver } from './end-of-resolution.js';
import { Facts, type Fact } from './facts.js';
import { baseSteps, classOfMember, findMember, typeName } from '../resolve/hierarchy.js';
import { moduleMember, type Resolution } from '../resolve/names.js';
import { runWhenMade } from '../resolve/overloads.js';
import type { Site } from '../refer/site.js';
import { entitiesIn, receiverIn, resolutionIn, typeIn, type Question, type TracingResolver } from '../resolve/trace.js';
import { enclosingClass, type Type, type Value } from '../resolve/value.js';

/** How the site leads to its target, from the site on. Empty only for a module. */
export function pathOf(trace: TracingResolver, site: Site): readonly Fact[] {
  const path = new Path(trace);
  path.site(site);
  const { target } = site;
  if (path.facts.list.length === 0 && target.decl >= 0)
    path.facts.say(
      target.file,
      declAt(trace, target),
      `${trace.summary(target.file).decls.nameOf(target.decl)} is written with what holds it`,
    );
  return path.facts.list;
}

/** Whether a type holds the declaration: as a value, or as what a value holds. */
function holds(type: Type, ref: DeclRef, depth = 0): boolean {
  return type.values.some((value) => {
    switch (value.kind) {
      case 'instance':
      case 'class':
        return sameDecl(value, ref) || (depth < 3 && value.args.some((arg) => holds(arg, ref, depth + 1)));
      case 'super':
      case 'function':
        return sameDecl(value, ref);
      case 'callable':
        return depth < 3 && holds(value.returns, ref, depth + 1);
      case 'module':
        return ref.decl < 0 && value.file === ref.file;
      case 'external':
        return depth < 3 && value.args.some((arg) => holds(arg, ref, depth + 1));
      case 'tuple':
        return depth < 3 && value.parts.some((part) => holds(part, ref, depth + 1));
      case 'namespace':
        return false;
    }
  });
}

const among = (entities: readonly Entity[], ref: DeclRef): boolean =>
  entities.some((entity) =>
    entity.kind === 'decl'
      ? sameDecl(entity, ref)
      : entity.kind === 'module' && ref.decl < 0 && entity.file === ref.file,
  );

class Path {
  readonly facts = new Facts();

  constructor(private readonly trace: TracingResolver) {}

  // ---- from a site

  site(site: Site): void {
    const { trace } = this;
    const { file, expr, target } = site;
    if (expr < 0) return this.override(site);
    const summary = trace.summary(file);
    const owner = target.decl < 0 ? undefined : ownerOf(trace, target);
    if (site.via === 'constructor chain' && owner !== undefined) {
      const { decl } = enclosingClass(summary, summary.exprs.scopeOf(expr), isClassLike, isFunctionLike);
      this.bases({ file, decl }, owner);
      this.say(
        target.file,
        declAt(trace, target),
        `${summary.exprs.opOf(expr) === E.super ? "the call of the base's" : 'the call of its own'} ` +
          `constructor means that of ${trace.summary(owner.file).decls.nameOf(owner.decl)}`,
      );
    } else if (site.via === 'syntax' && owner !== undefined) this.impliedCall(site, owner);
    else if (site.via === 'constructor') this.construction(site);
    else if (site.via === 'injected')
      this.say(
        file,
        summary.exprs.startOf(expr),
        summary.exprs.opOf(expr) === E.string
          ? `the string asks for ${trace.summary(target.file).decls.nameOf(target.decl)} by its name`
          : `the parameter is filled in by its name, by ${trace.summary(target.file).decls.nameOf(target.decl)}`,
      );
    else if (site.via === 'flow')
      this.say(
        file,
        summary.exprs.startOf(expr),
        `${trace.summary(target.file).decls.nameOf(target.decl)} is among the values that can be called ` +
          'here: an assignment, argument, return, entry or decorator put it there',
      );
    else if (site.via === 'class value')
      this.say(
        file,
        summary.exprs.startOf(expr),
        `what is called here gives the class ${trace.summary(target.file).decls.nameOf(owner?.decl ?? target.decl)} ` +
          'without naming it',
      );
    else if (site.via === 'alias')
      this.say(
        file,
        summary.exprs.startOf(expr),
        `${trace.summary(target.file).decls.nameOf(target.decl)} is the whole value of what is called here`,
      );
    else this.row(trace.question('row', file, expr), target, true);
  }

  private override({ file, block, target }: Site): void {
    const { trace } = this;
    const [own, base] = [ownerOf(trace, { file, decl: block }), ownerOf(trace, target)];
    if (own === undefined || base === undefined) return;
    this.bases(own, base);
    this.say(
      target.file,
      declAt(trace, target),
      `${trace.summary(base.file).decls.nameOf(base.decl)} declares ` +
        `${trace.summary(target.file).decls.nameOf(target.decl)} too`,
    );
  }

  private construction({ file, expr, target }: Site): void {
    const { trace } = this;
    const made = trace
      .resolve(file, expr)
      .targets.find(
        (type) =>
          type.decl >= 0 &&
          isClassLike(kindOf(trace, type)) &&
          runWhenMade(trace, type).some((constructor) => sameDecl(constructor, target)),
      );
    if (made === undefined) return;
    this.row(trace.question('row', file, expr), made, false);
    const owner = ownerOf(trace, target);
    if (owner !== undefined) this.bases(made, owner);
    this.say(
      target.file,
      declAt(trace, target),
      `making ${trace.summary(made.file).decls.nameOf(made.decl)} runs ` +
        trace.summary(target.file).decls.nameOf(target.decl),
    );
  }

  private impliedCall({ file, expr, target }: Site, owner: DeclRef): void {
    const { trace } = this;
    const { exprs } = trace.summary(file);
    const name = trace.summary(target.file).decls.nameOf(target.decl);
    const operands = [exprs.operandOf(expr), ...(exprs.opOf(expr) === E.operator ? [exprs.secondOf(expr)] : [])].filter(
      (operand) => operand >= 0,
    );
    for (const operand of operands) {
      const value = trace
        .typeOf(file, operand)
        .values.find(
          (candidate) =>
            candidate.kind === 'instance' &&
            findMember(trace, candidate, name).found.some((member) => sameDecl(member, target)),
        );
      if (value?.kind !== 'instance') continue;
      this.type(trace.question('expression', file, operand), value);
      this.bases(value, owner);
      this.say(target.file, declAt(trace, target), `this syntax calls its ${name}`);
      return;
    }
  }

  // ---- rows

  /** A name that is imported, or '' for a module that is required on the spot. */
  private import(file: string, expr: number, name: string): void {
    const entry = this.trace.summary(file).imports.find((candidate) => candidate.expr === expr);
    if (entry === undefined) return;
    const said = name === '' ? `takes ${entry.module} as a value` : `imports ${name} from ${entry.module}`;
    this.say(file, entry.start, said);
  }

  /** `isEnd`: the declaration is what was asked for, rather than a step on the way. */
  private row(question: Question, target: DeclRef, isEnd: boolean): void {
    const resolution = resolutionIn(question);
    if (resolution === undefined || !this.facts.enters(question)) return;
    const { trace } = this;
    const expr = question.what as number;
    const summary = trace.summary(question.file);
    const at = summary.exprs.startOf(expr);
    const name = exprName(summary, expr);
    if (summary.exprs.roleOf(expr) === R.import || name === '') {
      this.import(question.file, expr, name);
      return this.throughExports(question, target);
    }
    const binding = question.parts.find((part) => part.kind === 'import' && among(entitiesIn(part), target));
    if (binding !== undefined) return this.binding(binding, target);
    switch (resolution.via) {
      case 'member':
        return this.member(question, resolution, target, name);
      case 'extension method': {
        this.receiver(question);
        return this.say(target.file, declAt(trace, target), `${name} is an extension method that admits the receiver`);
      }
      case 'made accessor':
        this.receiver(question);
        return this.say(
          target.file,
          declAt(trace, target),
          `the class has no ${name}, which a generator may have made of its field`,
        );
      case 'member of a class below':
        this.receiver(question);
        return this.say(target.file, declAt(trace, target), `a class below has ${name}, which this one leaves to it`);
      case 'type argument':
        return this.say(
          question.file,
          at,
          `the receiver comes from outside and may hand out its type argument, which has ${name}`,
        );
      case 'name': {
        endOfReceiver(trace, question, this.facts);
        return this.say(
          question.file,
          at,
          `the receiver's type is not known, so every ${name} that the use could mean is possible`,
        );
      }
      case 'member of the class around': {
        const { decl } = enclosingClass(summary, summary.exprs.scopeOf(expr), isClassLike, isFunctionLike);
        const owner = ownerOf(trace, target);
        if (owner === undefined || decl < 0) return;
        this.bases({ file: question.file, decl }, owner);
        return this.say(
          target.file,
          declAt(trace, target),
          `${trace.summary(owner.file).decls.nameOf(owner.decl)}, whose members the code sees, declares ${name}`,
        );
      }
      case 'ambient': {
        this.say(question.file, at, `${name} is visible here without an import of its own`);
        return this.throughExports(question, target);
      }
      case 'export list':
        return this.say(question.file, at, `the list of exported names has ${name}`);
      case 'import table':
        return this.say(question.file, at, `a mapping has ${name} beside the name of its module`);
      default:
        if (isEnd && target.decl >= 0)
          this.say(target.file, declAt(trace, target), `${name} is declared in a scope around`);
    }
  }

  /** The receiver's value that has the member, and where its class has it from. */
  private member(question: Question, resolution: Resolution, target: DeclRef, name: string): void {
    const { trace } = this;
    const receiver = receiverIn(trace, question);
    const type = receiver === undefined ? undefined : typeIn(receiver);
    const value =
      type?.values.find((candidate) => hasMember(trace, question.file, candidate, name, target)) ?? resolution.self;
    if (value === undefined) return;
    if (value.kind === 'module') {
      if (receiver !== undefined) this.type(receiver, { file: value.file, decl: -1 });
      if (target.file === value.file) return this.say(target.file, declAt(trace, target), `the module has ${name}`);
      this.say(value.file, 0, `the module offers ${name}`);
      return this.throughExports(question, target);
    }
    if (value.kind === 'function') return this.memberOfHeld(value, target, name);
    if (value.kind !== 'instance' && value.kind !== 'class' && value.kind !== 'super')
      return this.say(
        target.file,
        declAt(trace, target),
        `${value.kind === 'namespace' ? value.name : 'it'} has ${name}`,
      );
    if (receiver !== undefined) this.type(receiver, value);
    const owner = ownerOf(trace, target);
    if (owner === undefined) return this.throughExports(question, target);
    this.bases(value, owner);
    this.say(target.file, declAt(trace, target), `${classInWords(trace, owner)} declares ${name}`);
  }

  /** What holds the function has a declared type, of which the member is. */
  private memberOfHeld(held: DeclRef, target: DeclRef, name: string): void {
    const { trace } = this;
    const owner = ownerOf(trace, target);
    if (owner === undefined) return;
    const type = trace.summary(owner.file).decls.nameOf(owner.decl);
    this.say(
      held.file,
      declAt(trace, held),
      `${trace.summary(held.file).decls.nameOf(held.decl)} is declared as ${type}`,
    );
    this.say(target.file, declAt(trace, target), `${type} declares ${name}`);
  }

  private receiver(question: Question): void {
    const receiver = receiverIn(this.trace, question);
    const value =
      receiver === undefined ? undefined : typeIn(receiver)?.values.find((candidate) => candidate.kind === 'instance');
    if (receiver !== undefined && value?.kind === 'instance') this.type(receiver, value);
  }

  /** An import binding, and the modules that pass the name on. */
  private binding(question: Question, target: DeclRef): void {
    if (!this.facts.enters(question)) return;
    const summary = this.trace.summary(question.file);
    const entry = summary.imports.find((candidate) => candidate.decl === question.what);
    if (entry === undefined) return;
    const local = summary.decls.nameOf(entry.decl);
    this.say(
      question.file,
      entry.start,
      `${local} is imported from ` +
        entry.module +
        (entry.name !== '' && entry.name !== local && entry.kind !== 'module' ? ` as the name for ${entry.name}` : ''),
    );
    this.throughExports(question, target);
  }

  /** Modules that have the name from elsewhere. */
  private throughExports(question: Question, target: DeclRef): void {
    for (const part of question.parts) {
      if (!among(entitiesIn(part), target)) continue;
      if (part.kind === 'import') return this.binding(part, target);
      if (!this.facts.enters(part) || part.file === target.file) return;
      const summary = this.trace.summary(part.file);
      const entry = summary.exports.find(
        (candidate) => candidate.module !== undefined && (candidate.name === part.what || candidate.name === '*'),
      );
      if (entry?.module !== undefined)
        this.say(part.file, entry.start, `${part.what} is passed on from ${entry.module}`);
      else if (!part.parts.some((inner) => inner.kind === 'import'))
        this.say(part.file, 0, `${part.what} is passed on by a star import`);
      return this.throughExports(part, target);
    }
  }

  // ---- types

  /** How an expression, a declaration or a written type comes to hold the value. */
  private type(question: Question, wanted: DeclRef): void {
    if (!this.facts.enters(question)) return;
    const { trace } = this;
    const summary = trace.summary(question.file);
    if (question.kind === 'declaration') {
      this.declaration({ file: question.file, decl: question.what as number }, summary);
      return this.parts(question, wanted);
    }
    const row = question.what as number;
    if (question.kind === 'result') {
      this.say(
        question.file,
        summary.decls.startOf(row),
        `${summary.decls.nameOf(row) === '' ? 'the function here' : summary.decls.nameOf(row)} returns it`,
      );
      return this.parts(question, wanted);
    }
    if (question.kind !== 'expression') return this.parts(question, wanted);
    switch (summary.exprs.opOf(row)) {
      case E.name:
        return this.namedValue(question, wanted);
      case E.this: {
        const name = trace.summary(wanted.file).decls.nameOf(wanted.decl);
        const param = declaredThis(summary, summary.exprs.scopeOf(row));
        return param < 0
          ? this.say(question.file, summary.exprs.startOf(row), `this is ${classInWords(trace, wanted, 'the ')} around`)
          : this.say(question.file, summary.decls.startOf(param), `this is declared as ${name}`);
      }
      case E.cast: {
        const tested = summary.exprs.operandOf(row);
        if (exprName(summary, row) === NARROWED)
          this.say(
            question.file,
            summary.exprs.startOf(row),
            `a test narrows ${exprName(summary, tested)} to ${trace.summary(wanted.file).decls.nameOf(wanted.decl)}`,
          );
        return this.parts(question, wanted);
      }
      case E.member:
        return this.memberValue(question, wanted, summary);
      case E.call:
        return this.result(question, wanted, summary);
      default:
        return this.parts(question, wanted);
    }
  }

  private parts(question: Question, wanted: DeclRef): void {
    for (const part of question.parts) {
      if (part.kind === 'row' && resolutionIn(part)?.targets.some((target) => sameDecl(target, wanted)) === true)
        return this.row(part, wanted, false);
      const type = typeIn(part);
      if (type !== undefined && holds(type, wanted)) return this.type(part, wanted);
    }
  }

  /** A name: what it means, then what that holds. */
  private namedValue(question: Question, wanted: DeclRef): void {
    const row = question.parts.find((part) => part.kind === 'row');
    const targets = row === undefined ? [] : (resolutionIn(row)?.targets ?? []);
    if (row === undefined) return;
    const itself = targets.find((target) => sameDecl(target, wanted));
    if (itself !== undefined) return this.row(row, itself, false);
    const holder = question.parts.find(
      (part) => part.kind === 'declaration' && holds(typeIn(part) ?? { values: [], unknown: true }, wanted),
    );
    if (holder === undefined) return this.parts(question, wanted);
    this.row(row, { file: holder.file, decl: holder.what as number }, false);
    this.type(holder, wanted);
  }

  private memberValue(question: Question, wanted: DeclRef, summary: Summary): void {
    const expr = question.what as number;
    const name = exprName(summary, expr);
    const receiver = question.parts.find(
      (part) => part.kind === 'expression' && part.what === summary.exprs.operandOf(expr),
    );
    for (const value of receiver === undefined ? [] : (typeIn(receiver)?.values ?? [])) {
      if (
        value.kind === 'module' &&
        receiver !== undefined &&
        among(moduleMember(this.trace, question.file, value, name), wanted)
      ) {
        this.type(receiver, { file: value.file, decl: -1 });
        return this.throughExports(question, wanted);
      }
      if (value.kind !== 'instance' && value.kind !== 'class' && value.kind !== 'super') continue;
      const found = findMember(this.trace, value, name, value.kind === 'super').found[0];
      if (receiver === undefined || found === undefined) continue;
      this.type(receiver, value);
      if (isFunctionLike(kindOf(this.trace, found)))
        this.say(
          found.file,
          declAt(this.trace, found),
          `${this.trace.summary(value.file).decls.nameOf(value.decl)} has ${name}`,
        );
      else this.declaration(found, this.trace.summary(found.file));
      break;
    }
    this.parts({ ...question, parts: question.parts.filter((part) => part !== receiver) }, wanted);
  }

  private result(question: Question, wanted: DeclRef, summary: Summary): void {
    const callee = question.parts.find(
      (part) => part.kind === 'expression' && part.what === summary.exprs.operandOf(question.what as number),
    );
    const called = callee === undefined ? undefined : typeIn(callee);
    if (callee === undefined || called === undefined) return this.parts(question, wanted);
    if (called.values.some((value) => value.kind === 'class' && sameDecl(value, wanted)))
      return this.type(callee, wanted);
    const functions = called.values.filter((value) => value.kind === 'function');
    const returning =
      functions.find((value) =>
        question.parts.some(
          (part) =>
            part.file === value.file &&
            ((part.kind === 'result' && part.what === value.decl) ||
              (part.kind === 'written type' && part.what === this.trace.summary(value.file).decls.typeOf(value.decl))),
        ),
      ) ?? functions[0];
    if (returning !== undefined) {
      this.type(callee, returning);
      const of = this.trace.summary(returning.file);
      const type = of.decls.typeOf(returning.decl);
      if (type >= 0)
        this.say(
          returning.file,
          of.exprs.startOf(type),
          `${of.decls.nameOf(returning.decl)} is declared to return ${writtenType(of, returning.decl)}`,
        );
    }
    this.parts({ ...question, parts: question.parts.filter((part) => part !== callee) }, wanted);
  }

  /** What a declaration says of the value of its name. */
  private declaration({ file, decl }: DeclRef, summary: Summary): void {
    const { decls } = summary;
    const kind = decls.kindOf(decl);
    const flags = decls.flagsOf(decl);
    if (
      isClassLike(kind) ||
      isFunctionLike(kind) ||
      kind === D.namespace ||
      kind === D.typeAlias ||
      kind === D.importBinding
    )
      return;
    const name = summary.decls.nameOf(decl);
    const at = decls.startOf(decl);
    const sort =
      kind === D.param
        ? 'a parameter'
        : kind === D.local
          ? 'a local variable'
          : kind === D.property
            ? 'a property'
            : kind === D.field
              ? 'a field'
              : 'a variable';
    if ((flags & F.narrowing) !== 0) this.say(file, at, `a test narrows ${name} to ${writtenType(summary, decl)}`);
    else if ((flags & F.receiver) !== 0) this.say(file, at, `${name} is the object of the class around`);
    else if (decls.typeOf(decl) >= 0) this.say(file, at, `${name} is ${sort} of type ${writtenType(summary, decl)}`);
    else if (decls.valueOf(decl) >= 0)
      this.say(file, at, `${name} is ${sort} with ${kind === D.param ? 'a default' : 'a value'}`);
    else if (kind === D.param) this.say(file, at, `${name} is a parameter whose type the place of its function tells`);
  }

  /** From a class to the base that declares the member. */
  private bases(from: DeclRef, to: DeclRef): void {
    for (const step of baseSteps(this.trace, from, to)) {
      const summary = this.trace.summary(step.derived.file);
      this.say(
        step.derived.file,
        declAt(this.trace, step.derived),
        `${summary.decls.nameOf(step.derived.decl)} derives from ` +
          this.trace.summary(step.base.file).decls.nameOf(step.base.decl),
      );
    }
  }

  private say(file: string, at: number, words: string): void {
    this.facts.say(file, at, words);
  }
}

function hasMember(trace: TracingResolver, from: string, value: Value, name: string, target: DeclRef): boolean {
  switch (value.kind) {
    case 'instance':
    case 'class':
    case 'super':
      return findMember(trace, value, name, value.kind === 'super').found.some((member) => sameDecl(member, target));
    case 'module':
    case 'namespace':
      return among(moduleMember(trace, from, value, name), target);
    case 'function':
      return heldAs(trace, value).some((object) => hasMember(trace, from, object, name, target));
    default:
      return false;
  }
}

const exprName = ({ exprs }: Summary, expr: number): string => exprs.nameOf(expr);
const kindOf = (trace: TracingResolver, ref: DeclRef): number => trace.summary(ref.file).decls.kindOf(ref.decl);
const declAt = (trace: TracingResolver, ref: DeclRef): number => trace.summary(ref.file).decls.startOf(ref.decl);

/** The class's name, behind `before`; an object literal has none. */
function classInWords(trace: TracingResolver, { file, decl }: DeclRef, before = ''): string {
  const name = trace.summary(file).decls.nameOf(decl);
  return name === '' ? 'the object' : before + name;
}

function ownerOf(trace: TracingResolver, member: DeclRef): DeclRef | undefined {
  const owner = classOfMember(trace.summary(member.file), member.decl);
  return owner === undefined ? undefined : { file: member.file, decl: owner };
}

function writtenType(summary: Summary, decl: number): string {
  return typeName(summary, decl) ?? 'that is written';
}
