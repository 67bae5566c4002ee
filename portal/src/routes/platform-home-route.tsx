import { PlatformHome, PlatformHomeSkeleton } from '../platform/platform-home.tsx';
import { Footer } from '../shell/footer.tsx';
import { PageBoundary } from '../shell/page-boundary.tsx';
import { usePageTitle } from '../shell/page-title.ts';

export function PlatformHomeRoute() {
  usePageTitle('titles.home');
  return (
    <PageBoundary waiting={<PlatformHomeSkeleton />}>
      <PlatformHome />
      <Footer />
    </PageBoundary>
  );
}
