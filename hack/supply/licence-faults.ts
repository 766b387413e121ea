/** Licences under which a package may be in what ships: they ask for nothing but that their text is passed on. As SPDX names them. */
export const allowedLicences: readonly string[] = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

/** The packages whose licence nobody looked at yet, or may not ship. Of `A OR B` one is enough, of `A AND B` each counts. */
export function licenceFaults(
  packages: readonly Readonly<{ name: string; version: string; license: string }>[],
): readonly string[] {
  return packages
    .filter(({ license }) => !isAllowed(license))
    .map(
      ({ name, version, license }) => `${name} ${version} is under ${license}, which is none of the allowed licences`,
    );
}

function isAllowed(license: string): boolean {
  const bare = license.replace(/^\((.*)\)$/, '$1');
  // Brackets within would need a parser; nothing we ship has any.
  if (/[()]/.test(bare)) return false;
  return bare.split(' OR ').some((one) => one.split(' AND ').every((each) => allowedLicences.includes(each)));
}
