/** The part of CycloneDX that `npm sbom` writes and this reads. What is not named here is passed on as it is. */
export type Component = Readonly<{
  'bom-ref': string;
  type: string;
  name: string;
  version: string;
  purl?: string;
  licenses?: readonly unknown[];
}>;

export type Sbom = Readonly<{
  bomFormat: string;
  specVersion: string;
  serialNumber: string;
  version: number;
  metadata: Readonly<{ component: Component }>;
  components: readonly Component[];
  dependencies: readonly Readonly<{ ref: string; dependsOn: readonly string[] }>[];
}>;

/**
 * The bill of materials of what ships, out of npm's own, which holds all that is installed: `shipped` are the packages of which something is
 * in the bundle. npm tells of the checkout, and of its workspaces; the program is what `src/package.json` says, and what any of them asks for is what it asks for.
 * Throws where npm lacks a package.
 */
export function sbomOf(
  installed: Sbom,
  { name, version, description }: Readonly<{ name: string; version: string; description: string }>,
  shipped: readonly Readonly<{ name: string; version: string }>[],
): Sbom {
  const checkout = installed.metadata.component;
  const ref = `${name}@${version}`;
  const named = { 'bom-ref': ref, name, version, description, purl: purlOf(name, version) };
  const program: Component = { ...checkout, type: 'application', ...named };
  const components = shipped.map((one) => {
    const found = installed.components.find(({ purl }) => purl === purlOf(one.name, one.version));
    if (found === undefined) throw new Error(`npm sbom has no ${one.name} ${one.version}, though it is in the bundle`);
    // npm calls what only development needs optional; but this is in the bundle.
    return { ...found, scope: 'required' };
  });
  const known = new Set(components.map((one) => one['bom-ref']));
  const asked = installed.dependencies.map((one) => ({
    ...one,
    dependsOn: one.dependsOn.filter((on) => known.has(on)),
  }));
  const isOurs = (one: string) => [checkout['bom-ref'], ref].includes(one) || one.startsWith('@dwd/');
  const ofProgram = new Set(asked.flatMap((one) => (isOurs(one.ref) ? one.dependsOn : [])));
  const dependencies = [{ ref, dependsOn: [...ofProgram].toSorted() }, ...asked.filter((one) => known.has(one.ref))];
  return { ...installed, metadata: { ...installed.metadata, component: program }, components, dependencies };
}

/** What CycloneDX 1.5 asks for and this lacks, and what would make it useless: a package without a licence or a purl. */
export function sbomFaults(sbom: Sbom): readonly string[] {
  const program = sbom.metadata.component;
  const all = [program, ...sbom.components];
  const refs = all.map((one) => one['bom-ref']);
  return [
    ...wrong(sbom.bomFormat === 'CycloneDX', 'bomFormat is not CycloneDX'),
    ...wrong(/^1\.\d$/.test(sbom.specVersion), 'specVersion is none'),
    ...wrong(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(sbom.serialNumber), 'serialNumber is no UUID'),
    ...wrong(Number.isInteger(sbom.version) && sbom.version > 0, 'version is no whole number above 0'),
    ...wrong(sbom.components.length > 0, 'it names no component'),
    ...wrong(program.type === 'application', 'the program is no application'),
    ...wrong(new Set(refs).size === refs.length, 'two components have one bom-ref'),
    ...all.flatMap(({ type, name, version, purl, licenses = [] }) => [
      ...wrong(type !== '' && name !== '' && version !== '', `${name} lacks its type, name or version`),
      ...wrong(purl?.startsWith('pkg:npm/') === true, `${name} has no purl`),
      ...wrong(licenses.length > 0, `${name} has no licence`),
    ]),
    ...sbom.dependencies.flatMap(({ ref, dependsOn }) =>
      [ref, ...dependsOn].flatMap((one) => wrong(refs.includes(one), `${one} is depended on, and no component`)),
    ),
  ];
}

function wrong(isRight: boolean, fault: string): readonly string[] {
  return isRight ? [] : [fault];
}

function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}
