// The baseline of the size test: the libraries of the portal, used as the portal does, without its
// code.
import {
  QueryClient,
  QueryClientProvider,
  QueryErrorResetBoundary,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query';
import i18next from 'i18next';
import LanguageDetector from 'i18next-browser-languagedetector';
import HttpBackend from 'i18next-http-backend';
import { StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { initReactI18next, useTranslation } from 'react-i18next';
import {
  BrowserRouter,
  Link,
  Navigate,
  NavLink,
  Outlet,
  Route,
  Routes,
  useLocation,
  useNavigate,
  useParams,
  useSearchParams,
} from 'react-router';

const answer = queryOptions({
  queryKey: ['answer'],
  queryFn: async () => (await fetch('/answer')).text(),
});

function Page() {
  const { i18n } = useTranslation();
  const { data } = useSuspenseQuery(answer);
  const { isPending } = useQuery(answer);
  const { mutate } = useMutation({ mutationFn: () => fetch('/answer', { method: 'POST' }) });
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { id } = useParams();
  const [query, setQuery] = useSearchParams();
  const { pathname } = useLocation();
  return (
    <button
      type="button"
      onClick={() => {
        mutate();
        setQuery(query);
        void queryClient.invalidateQueries();
        void navigate('/');
      }}
    >
      {[i18n.language, data, isPending, id, pathname].join()}
    </button>
  );
}

function Frame() {
  return (
    <>
      <Link to="/" />
      <NavLink to="/" />
      <QueryErrorResetBoundary>{() => <Outlet />}</QueryErrorResetBoundary>
    </>
  );
}

await i18next
  .use(HttpBackend)
  .use(LanguageDetector)
  .use(initReactI18next)
  .init({ backend: { loadPath: '/locales/{{lng}}.json' } });

createRoot(document.body).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>
      <BrowserRouter>
        <Suspense>
          <Routes>
            <Route element={<Frame />}>
              <Route path="/" element={<Page />} />
              <Route path="*" element={<Navigate to="/" />} />
            </Route>
          </Routes>
        </Suspense>
      </BrowserRouter>
    </QueryClientProvider>
  </StrictMode>,
);
