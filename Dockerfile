# The command in an image:
#
#   docker build -t pipeline .
#   docker run --rm -v "$PWD:/stores" pipeline run notes.pipeline Notes.sqlite
#
# It is linked with Swift's own libraries and runs on a plain Debian, as a user with no rights. The
# stores belong to that user, or `docker run --user "$(id -u)"` names theirs. Without pictures for
# scripts; with them: --build-arg TRAITS="--traits Images" --build-arg PICTURES="libjpeg62-turbo libvips42"

FROM swift:6.2-bookworm AS build
ARG TRAITS=
WORKDIR /src
COPY . .
RUN .ci/deps libraries
RUN make install TRAITS="$TRAITS" DESTDIR=/image PREFIX=/usr

FROM debian:bookworm-slim
ARG PICTURES=
RUN apt-get update && apt-get install -y --no-install-recommends \
    libsqlite3-0 liblua5.4-0 zlib1g libstdc++6 $PICTURES \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /image /
WORKDIR /stores
USER 10001:10001
ENTRYPOINT ["pipeline"]
