"""How alembic reaches the store: on the connection that `upgrade` was given. Run by alembic."""

from __future__ import annotations

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    transactional_ddl=False,  # the caller's transaction holds all steps together
)
context.run_migrations()
