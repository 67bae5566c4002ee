import { PlatformHome, PlatformHomeSkeleton } from '../../features/game-hub/platform-home.tsx';
import { Footer } from '../shell/footer.tsx';
import { PageBoundary } from '../shell/page-boundary.tsx';

export function PlatformHomeRoute() {
  return (
    <PageBoundary waiting={<PlatformHomeSkeleton />}>
      <PlatformHome />
      <Footer />
    </PageBoundary>
  );
}
