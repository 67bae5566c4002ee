import { useQuery } from '@tanstack/react-query';
import { CharacterDialog } from '../../entities/characters/character-dialog.tsx';
import { gameQuery } from '../../entities/characters/character-queries.ts';

/** Chooses a server and a role on it, from any page. */
export function RegionDialog({ gameId, onClose }: { gameId: string; onClose: () => void }) {
  const { data: game } = useQuery(gameQuery(gameId));
  return (
    <CharacterDialog
      gameId={gameId}
      chosen={game?.character ?? null}
      // Opens with the server list, because the player wants another server.
      server={null}
      onServer={() => {}}
      onClose={onClose}
    />
  );
}
