import type { Locator, Page } from 'playwright-core';
import { weededNamespace } from '../support/played-services.ts';

/** A view of the page: its address behind `#`, and what is on it as soon as it is drawn. */
export type View = Readonly<{ name: string; at: string; drawn: (page: Page) => Locator }>;

/** Every view of the night `mixed`. */
export const views: readonly View[] = [
  { name: 'last night', at: '#/', drawn: (page) => page.getByRole('link', { name: 'shoot--dev--cut', exact: true }) },
  { name: 'the seed', at: '#/seed', drawn: (page) => page.getByRole('row', { name: 'shoot--dev--cut' }) },
  {
    name: 'a shoot',
    at: '#/shoots/shoot--dev--cut',
    drawn: (page) => page.getByRole('heading', { name: 'shoot--dev--cut' }),
  },
  {
    name: 'a service',
    at: `#/services/${weededNamespace}/kube-apiserver`,
    drawn: (page) => page.getByRole('heading', { name: `${weededNamespace}/kube-apiserver` }),
  },
  { name: 'no view', at: '#/nowhere', drawn: (page) => page.getByText('This address names no view.') },
];

/** The widths that readers have: a screen, a laptop, a phone. */
export const screens = [
  ['on a screen', { width: 1_440, height: 900 }],
  ['on a laptop', { width: 1_280, height: 800 }],
  ['on a phone', { width: 390, height: 844 }],
] as const;
