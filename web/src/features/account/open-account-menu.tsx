import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FolderOpen, Gauge, LogOut, UserRound } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useNavigate } from 'react-router-dom';
import { toast } from 'sonner';
import { pages, paths, themes } from '#contract';
import { callApi, messageOrFallback } from '#web/lib/api.ts';
import { endSession, expectSessionEnd } from '#web/lib/session.ts';
import { useChangeTheme } from '#web/lib/settings.ts';
import { useTheme } from '#web/lib/theme.ts';
import { Name } from '#web/ui/name.tsx';
import { themeLabels } from '#web/ui/theme-switch.tsx';
import { AccountButton, type AccountMenuProps } from './account-button.tsx';

const itemClass =
  'flex min-h-11 cursor-pointer items-center gap-3 rounded-lg px-3 text-[0.9375rem] outline-none data-highlighted:bg-sunken';

/** The account menu, open at first. A file of its own, which is loaded when the menu is first opened. */
export function OpenAccountMenu({ user, ...button }: AccountMenuProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const theme = useTheme();
  const changeTheme = useChangeTheme();
  const { mutate: startSignOut } = useMutation({
    mutationFn: signOut,
    onMutate: () => expectSessionEnd('signed-out'),
    onSuccess: () => endSession(client, 'signed-out'),
    onError: (error) => {
      expectSessionEnd(null);
      toast.error('An error occurred during sign out', {
        description: messageOrFallback(error, 'You are still signed in.'),
      });
    },
  });
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger asChild>
        <AccountButton user={user} {...button} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Content
        align="end"
        sideOffset={8}
        collisionPadding={8}
        className="z-50 w-64 animate-fade-in rounded-card border border-line bg-surface p-2 text-ink shadow-card"
      >
        <DropdownMenu.Label className="px-3 pt-2 pb-3">
          <Name className="block truncate font-semibold">{user.displayName}</Name>
          <Name className="block truncate text-sm font-normal text-ink-soft">{user.email}</Name>
        </DropdownMenu.Label>
        <DropdownMenu.Item className={itemClass} onSelect={() => navigate(pages.profile)}>
          <UserRound aria-hidden className="size-4.5 text-ink-soft" />
          Profile
        </DropdownMenu.Item>
        <DropdownMenu.Item className={`${itemClass} sm:hidden`} onSelect={() => navigate(pages.projects)}>
          <FolderOpen aria-hidden className="size-4.5 text-ink-soft" />
          Projects
        </DropdownMenu.Item>
        {user.operator && (
          <DropdownMenu.Item className={itemClass} onSelect={() => navigate(pages.operator)}>
            <Gauge aria-hidden className="size-4.5 text-ink-soft" />
            Operator
          </DropdownMenu.Item>
        )}
        <DropdownMenu.Separator className="mx-1 my-2 h-px bg-line" />
        <DropdownMenu.RadioGroup
          value={theme}
          aria-label="Theme"
          onValueChange={(value) => changeTheme(themes.find((name) => name === value) ?? 'system')}
          className="grid grid-cols-3 gap-1"
        >
          {themes.map((name) => {
            const { label, Icon } = themeLabels[name];
            return (
              <DropdownMenu.RadioItem
                key={name}
                value={name}
                onSelect={(event) => event.preventDefault()}
                className="grid min-h-14 cursor-pointer place-items-center content-center gap-1 rounded-lg text-xs outline-none data-highlighted:ring-2 data-highlighted:ring-accent forced-colors:data-highlighted:outline-2 data-[state=checked]:bg-sunken data-[state=checked]:font-semibold"
              >
                <Icon aria-hidden className="size-4.5" />
                {label}
              </DropdownMenu.RadioItem>
            );
          })}
        </DropdownMenu.RadioGroup>
        <DropdownMenu.Separator className="mx-1 my-2 h-px bg-line" />
        <DropdownMenu.Item className={itemClass} onSelect={() => startSignOut()}>
          <LogOut aria-hidden className="size-4.5 text-ink-soft" />
          Sign Out
        </DropdownMenu.Item>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}

/** Ends the session. Here, not in `api.ts`: the menu of public pages loads without schemas. @throws ApiError */
function signOut(): Promise<void> {
  return callApi('DELETE', paths.session, {
    status: 204,
    check: 'Reload this page: if it shows your account, you are still signed in.',
  });
}
