import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { givenPage } from '../../../test/news.ts';
import { expectAddress, givenShop, open, refused, siteConfig } from '../../../test/shop.tsx';

const pathOf = (pageId: string) => `/api/game/info/content/${pageId}`;
const visitor = { '/api/user/info': { login: false } };
const privacy = givenPage('privacy-policy', { title: 'Privacy policy' });

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a content page such as "About us" opens by its URL for a visitor who is not signed in', async () => {
  givenShop({ ...visitor, [pathOf('about-us')]: givenPage('about-us', { title: 'Who we are' }) });
  await open('/page/about-us');
  await screen.findByRole('heading', { level: 1, name: 'Who we are' });
  await screen.findByText('What about-us says');
  expectAddress('/page/about-us');
  await waitFor(() => expect(document.title).toBe('Who we are - Omni'));
  expect(screen.queryByText(/^In effect since/)).toBeNull();
});

test('a policy page shows the date since which the policy is in effect', async () => {
  givenShop({ [pathOf('privacy-policy')]: privacy });
  await open('/page/privacy-policy');
  await screen.findByText('In effect since Oct 2, 2026');
});

test('the footer of a content page appears together with the text of the page, to avoid a layout shift', async () => {
  const text = Promise.withResolvers<object>();
  givenShop({ [pathOf('privacy-policy')]: () => text.promise });
  await open('/page/privacy-policy');
  await screen.findByRole('heading', { level: 1, name: 'Loading' });
  expect(screen.queryByRole('navigation', { name: 'About this site' })).toBeNull();
  text.resolve(privacy);
  await screen.findByRole('navigation', { name: 'About this site' });
});

test('the sign-in page links to every content page, such as the privacy policy', async () => {
  givenShop({ ...visitor, [pathOf('privacy-policy')]: privacy });
  await open('/login');
  const links = within(await screen.findByRole('navigation', { name: 'About this site' }));
  expect(links.getAllByRole('link').map((link) => link.textContent)).toEqual([
    'About us',
    'Contact',
    'Privacy policy',
    'User agreement',
  ]);
  fireEvent.click(links.getByRole('link', { name: 'Privacy policy' }));
  await screen.findByText('What privacy-policy says');
});

test('a link of the sign-in page to a policy with an external URL opens in a new tab', async () => {
  givenShop(visitor);
  const policies = {
    privacyUrl: 'https://publisher.example/privacy',
    agreementUrl: 'https://publisher.example/terms',
  };
  await open('/login', { ...siteConfig, policies });
  const links = within(await screen.findByRole('navigation', { name: 'About this site' }));
  const link = links.getByRole('link', { name: 'Privacy policy, opens in a new tab' });
  expect(link.getAttribute('href')).toBe(policies.privacyUrl);
  expect(link.getAttribute('target')).toBe('_blank');
  expect(link.getAttribute('rel')).toContain('noopener');
  expect(
    links.getByRole('link', { name: 'User agreement, opens in a new tab' }).getAttribute('href'),
  ).toBe(policies.agreementUrl);
  expect(links.getByRole('link', { name: 'About us' }).getAttribute('href')).toBe('/page/about-us');
});

test.each(['gone', 'No%20such%20page'])(
  'a missing content page shows "This page does not exist": %s',
  async (id) => {
    givenShop({ [pathOf('gone')]: refused('PageMissing') });
    await open(`/page/${id}`);
    await screen.findByRole('heading', { name: 'This page does not exist' });
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    screen.getByRole('link', { name: 'Back to home' });
  },
);

test('a content page that fails to load shows an error and can be reloaded', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let isDown = true;
  givenShop({
    [pathOf('privacy-policy')]: () => (isDown ? refused('SystemBusy', 503) : privacy),
  });
  await open('/page/privacy-policy');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Failed to get this page');
  isDown = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('What privacy-policy says');
});

test('a content page that is still loading shows a skeleton', async () => {
  const { promise } = Promise.withResolvers<object>();
  givenShop({ [pathOf('privacy-policy')]: () => promise });
  const { container } = await open('/page/privacy-policy');
  await waitFor(() => expect(container.querySelector('.content-title-skeleton')).not.toBeNull());
});

test('the footer of a content page lists credits for icons and typefaces with their licences', async () => {
  givenShop({ [pathOf('privacy-policy')]: privacy });
  await open('/page/privacy-policy');
  const footer = within(await screen.findByRole('contentinfo'));
  fireEvent.click(footer.getByText('Credits'));
  const lines = footer.getAllByRole('listitem').map((line) => line.textContent);
  expect(lines).toEqual([
    'Icons: Lucide, ISC License',
    'Typefaces: Manrope, SIL Open Font License 1.1',
    'Typefaces: Marcellus, SIL Open Font License 1.1',
  ]);
});
