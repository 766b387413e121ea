import { basesOf } from '../image/build-words.ts';

/** What stands in the checkout about its version. */
export type Checkout = Readonly<{
  changelog: string;
  packageVersion: string;
  chart: string;
  security: string;
  dockerfile: string;
}>;

/** The notes of a release, or every reason why this checkout is not the one that the tag names. */
export type Notes = Readonly<{ ok: true; notes: string } | { ok: false; reasons: readonly string[] }>;

/** Stands in SECURITY.md until whoever owns the project puts an address in its place. */
const noContact = 'SECURITY-CONTACT';

/** The section of the changelog for a tag such as `v1.2.3`, where the checkout is ready to be released under it. */
export function notesFor(tag: string, { changelog, packageVersion, chart, security, dockerfile }: Checkout): Notes {
  const version = /^v(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)$/.exec(tag)?.[1];
  if (version === undefined) return { ok: false, reasons: [`${tag} is no tag of a release, such as v1.2.3`] };
  const section = sectionOf(changelog, version);
  const reasons = [
    ...unless(packageVersion === version, `package.json has version ${packageVersion}, and not ${version}`),
    ...['version', 'appVersion'].flatMap((key) => {
      const found = new RegExp(`^${key}:\\s*"?v?([^"\\s]+)"?\\s*$`, 'm').exec(chart)?.[1];
      return unless(found === version, `Chart.yaml has ${key} ${found ?? 'nothing'}, and not ${version}`);
    }),
    ...(section === undefined
      ? [`CHANGELOG.md has no section "## ${version}, DATE"`]
      : unless(
          /^\d{4}-\d{2}-\d{2}$/.test(section.date),
          `CHANGELOG.md says "${section.date}" of ${version}, and no date`,
        )),
    ...unless(!security.includes(noContact), `SECURITY.md says ${noContact} where reports go, and no address`),
    ...basesOf(dockerfile).flatMap((base) =>
      unless(/@sha256:[0-9a-f]{64}$/.test(base), `Dockerfile takes ${base} by its tag, and not by its digest`),
    ),
    ...unless(section === undefined || section.text !== '', `CHANGELOG.md says nothing of ${version}`),
  ];
  return section === undefined || reasons.length > 0 ? { ok: false, reasons } : { ok: true, notes: section.text };
}

function sectionOf(changelog: string, version: string): Readonly<{ date: string; text: string }> | undefined {
  for (const section of changelog.split(/^## /m).slice(1)) {
    const [heading = '', ...lines] = section.split('\n');
    const [own, date = ''] = heading.split(', ');
    if (own === version) return { date, text: lines.join('\n').trim() };
  }
  return undefined;
}

function unless(isRight: boolean, reason: string): readonly string[] {
  return isRight ? [] : [reason];
}
