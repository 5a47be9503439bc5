/** Dependencies of NuGet's kind: project files, central versions, packages.config, and its lock file. */
import { json, listIn, startOf, stringIn, treeIn, xml } from '../parsed.js';
import {
  blanked,
  called,
  canonicalName,
  escaped,
  foldersUp,
  placeIn,
  type Dependency,
  type ManifestTexts,
} from './dependency.js';

export const NUGET_FILES =
  /^(?:[\w .-]+\.(?:csproj|fsproj|vbproj)|[\w.-]+\.(?:props|targets)|packages\.config|packages\.lock\.json)$/u;

const ELEMENTS = ['PackageReference', 'PackageVersion', 'GlobalPackageReference'];

export function nugetDependencies(texts: ManifestTexts): Dependency[] {
  const found = called(texts, /\.(?:\w+proj|props|targets)$/u).flatMap(([file, text]) => inProject(file, text, texts));
  const said = new Set(found.filter(({ range }) => range !== undefined).map(({ name }) => name));
  return [
    ...found.filter(({ name, range }) => range !== undefined || !said.has(name)),
    ...called(texts, /^packages\.config$/u).flatMap(([file, text]) => inPackagesConfig(file, text)),
    ...called(texts, /^packages\.lock\.json$/u).flatMap(([file, text]) => inLock(file, text)),
  ];
}

function inProject(file: string, original: string, texts: ManifestTexts): Dependency[] {
  const text = blanked(original, /<!--[^]*?-->/gu);
  const project = treeIn(xml(text)['Project']);
  return listIn(project['ItemGroup']).flatMap((group) =>
    ELEMENTS.flatMap((tag) =>
      listIn(treeIn(group)[tag]).flatMap((entry): Dependency[] => {
        const tree = treeIn(entry);
        const named = stringIn(tree['@Include']) ?? stringIn(tree['@Update']);
        if (named === undefined) return [];
        const common = { ecosystem: 'nuget', name: canonicalName('nuget', named), file, kind: 'declared' } as const;
        const range = stringIn(tree['@Version']) ?? stringIn(tree['Version']) ?? stringIn(tree['@VersionOverride']);
        if (range === undefined)
          return [{ ...common, range: undefined, place: undefined, why: 'nothing in the repository says its version' }];
        const property = /^\$\(([\w.]+)\)$/u.exec(range)?.[1];
        if (property !== undefined) return [{ ...common, ...propertyNear(file, property, texts) }];
        const pattern = new RegExp(
          `\\bVersion(?:Override)?\\s*=\\s*["'](?<at>${escaped(range)})["']|<Version>\\s*(?:${escaped(range)})`,
          'u',
        );
        const element = new RegExp(`<Version>\\s*(?<at>${escaped(range)})\\s*<`, 'u');
        const isElement = tree['@Version'] === undefined && tree['@VersionOverride'] === undefined;
        return [{ ...common, range, place: placeIn(file, text, isElement ? element : pattern, startOf(entry) ?? 0) }];
      }),
    ),
  );
}

/** In the file itself, else in properties files of the folders above. */
function propertyNear(file: string, name: string, texts: ManifestTexts): Pick<Dependency, 'range' | 'place' | 'why'> {
  const above = foldersUp(file).flatMap((folder) =>
    ['Directory.Build.props', 'Directory.Packages.props'].map((base) => (folder === '' ? base : `${folder}/${base}`)),
  );
  for (const path of [file, ...above, ...[...texts.keys()].filter((each) => each.endsWith('.props'))]) {
    const text = blanked(texts.get(path) ?? '', /<!--[^]*?-->/gu);
    const place = placeIn(path, text, new RegExp(`<${escaped(name)}(?:\\s[^>]*)?>\\s*(?<at>[^<\\s]+)\\s*<`, 'u'));
    if (place !== undefined) return { range: text.slice(place.start, place.end), place };
  }
  return { range: undefined, place: undefined, why: `nothing in the repository says $(${name})` };
}

function inPackagesConfig(file: string, original: string): Dependency[] {
  const text = blanked(original, /<!--[^]*?-->/gu);
  return listIn(treeIn(xml(text)['packages'])['package']).flatMap((entry): Dependency[] => {
    const [name, range] = [stringIn(treeIn(entry)['@id']), stringIn(treeIn(entry)['@version'])];
    if (name === undefined || range === undefined) return [];
    const pattern = new RegExp(`\\bversion\\s*=\\s*["'](?<at>${escaped(range)})["']`, 'u');
    const place = placeIn(file, text, pattern, startOf(entry) ?? 0);
    return [{ ecosystem: 'nuget', name: canonicalName('nuget', name), file, kind: 'declared', range, place }];
  });
}

const inLock = (file: string, text: string): Dependency[] =>
  Object.values(treeIn(json(text)['dependencies'])).flatMap((framework) =>
    Object.entries(treeIn(framework)).flatMap(([name, entry]): Dependency[] => {
      const range = stringIn(treeIn(entry)['resolved']);
      return range === undefined
        ? []
        : [{ ecosystem: 'nuget', name: canonicalName('nuget', name), file, kind: 'locked', range, place: undefined }];
    }),
  );
