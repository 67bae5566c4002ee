import { PlatformHome, PlatformHomeSkeleton } from '../../features/game-hub/platform-home.tsx';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { Footer } from '../shell/footer.tsx';
import { PageBoundary } from '../shell/page-boundary.tsx';

export function PlatformHomeRoute() {
  usePageTitle('titles.home');
  return (
    <PageBoundary waiting={<PlatformHomeSkeleton />}>
      <PlatformHome />
      <Footer />
    </PageBoundary>
  );
}
