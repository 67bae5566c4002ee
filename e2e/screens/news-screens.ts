import { open, screensOf, waitForText } from './screen.ts';

const list = '/main/event';
const detail = `${list}/detail/`;

export const newsScreens = [
  ...screensOf('News', 'aveline', {
    all: (testPage) => open(testPage, list),
    strategy: (testPage) => open(testPage, `${list}?tab=strategy`),
    'none yet': async (testPage) => {
      await testPage.modifyReplies(/\/api\/bulletin\/(list|top)/, (data) => ({
        ...data,
        bulletins: [],
      }));
      await open(testPage, list);
      await waitForText(testPage, 'No announcement content');
    },
    loading: async (testPage) => {
      await testPage.hold(/\/api\/bulletin\//);
      await open(testPage, list);
    },
    'the list did not come': async (testPage) => {
      await testPage.cut(/\/api\/bulletin\//);
      await open(testPage, list);
      await waitForText(testPage, 'Failed to get the announcement list');
    },
  }),
  ...screensOf('Announcement', 'aveline', {
    full: (testPage) => open(testPage, `${detail}tidefall-festival`),
    'a guide': (testPage) => open(testPage, `${detail}first-ten-levels`),
    missing: async (testPage) => {
      await open(testPage, `${detail}nothing`);
      await waitForText(testPage, 'The announcement is missing');
    },
    loading: async (testPage) => {
      await testPage.hold(/\/api\/bulletin\//);
      await open(testPage, `${detail}tidefall-festival`);
    },
  }),
];
