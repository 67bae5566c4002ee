import { useQuery } from '@tanstack/react-query';
import { CharacterDialog } from '../characters/character-dialog.tsx';
import { gameQuery } from '../characters/character-queries.ts';

/** The choice of a server, and then of a role there, from anywhere in the shop. */
export function RegionDialog({ gameId, onClose }: { gameId: string; onClose: () => void }) {
  const { data: game } = useQuery(gameQuery(gameId));
  return (
    <CharacterDialog
      gameId={gameId}
      chosen={game?.character ?? null}
      // It begins with the servers, because another one is what is wanted.
      server={null}
      onServer={() => {}}
      onClose={onClose}
    />
  );
}
