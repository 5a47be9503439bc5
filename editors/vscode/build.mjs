// Bundles the extension into one file, and packs that as codeplan.vsix: a zip file with the extension and its manifest.
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { strToU8, zipSync } from 'fflate';

process.chdir(import.meta.dirname ?? new URL('.', import.meta.url).pathname);
await build({
  entryPoints: ['src/extension.ts'],
  outfile: 'out/extension.js',
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
  logLevel: 'warning',
});

const { devDependencies: _, scripts: __, private: ___, ...manifest } = JSON.parse(readFileSync('package.json', 'utf8'));
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const described = `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${manifest.name}" Version="${manifest.version}" Publisher="${manifest.publisher}" />
    <DisplayName>${escaped(manifest.displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(manifest.description)}</Description>
    <Tags>${manifest.keywords.join(',')}</Tags>
    <Categories>${manifest.categories.join(',')}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escaped(manifest.engines.vscode)}" />
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace" />
    </Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code" /></Installation>
  <Dependencies />
  <Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" /></Assets>
</PackageManifest>
`;
const types = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${[
  'json',
  'js',
  'svg',
  'txt',
  'vsixmanifest',
]
  .map((name) => `<Default Extension=".${name}" ContentType="text/plain" />`)
  .join('')}</Types>
`;
const files = {
  'extension.vsixmanifest': strToU8(described),
  '[Content_Types].xml': strToU8(types),
  'extension/package.json': strToU8(`${JSON.stringify(manifest, null, 2)}\n`),
  'extension/LICENSE.txt': readFileSync('../../LICENSE'),
  'extension/media/codeplan.svg': readFileSync('media/codeplan.svg'),
  'extension/out/extension.js': readFileSync('out/extension.js'),
};
// One time for all entries: the same sources are the same bytes.
writeFileSync('codeplan.vsix', zipSync(files, { level: 9, mtime: '1980-01-01T00:00:00' }));
