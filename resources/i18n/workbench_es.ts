<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="es" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Memory Workbench</source>
        <translation>Acerca de Memory Workbench</translation>
    </message>
    <message>
        <source>Copy versions</source>
        <translation>Copiar versiones</translation>
    </message>
    <message>
        <source>Demo store</source>
        <translation>Almacén de demostración</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>Carpetas</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>Licencias</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Bitácora</translation>
    </message>
    <message>
        <source>See what an agent believes, why, and since when; set it right where it is wrong.</source>
        <translation>Vea qué cree un agente, por qué y desde cuándo; corríjalo donde se equivoca.</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Ajustes</translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation>Versión {version}</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>Versiones</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>&amp;About Memory Workbench</source>
        <translation>&amp;Acerca de Memory Workbench</translation>
    </message>
    <message>
        <source>&amp;Add fact…</source>
        <translation>&amp;Añadir hecho…</translation>
    </message>
    <message>
        <source>&amp;Back along the link</source>
        <translation>A&amp;trás por el enlace</translation>
    </message>
    <message>
        <source>&amp;Check store…</source>
        <translation>&amp;Comprobar almacén…</translation>
    </message>
    <message>
        <source>&amp;Clear all filters</source>
        <translation>&amp;Quitar todos los filtros</translation>
    </message>
    <message>
        <source>&amp;Command palette…</source>
        <translation>&amp;Paleta de comandos…</translation>
    </message>
    <message>
        <source>&amp;Compact</source>
        <translation>&amp;Compacta</translation>
    </message>
    <message>
        <source>&amp;Conflicts</source>
        <translation>&amp;Conflictos</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Copiar</translation>
    </message>
    <message>
        <source>&amp;Correct…</source>
        <translation>&amp;Corregir…</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Oscuro</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Edición</translation>
    </message>
    <message>
        <source>&amp;End…</source>
        <translation>&amp;Terminar…</translation>
    </message>
    <message>
        <source>&amp;Episodes</source>
        <translation>&amp;Episodios</translation>
    </message>
    <message>
        <source>&amp;Facts</source>
        <translation>&amp;Hechos</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <extracomment>Menus in their order; a submenu stands in its parent where its first action would.</extracomment>
        <translation>&amp;Archivo</translation>
    </message>
    <message>
        <source>&amp;Forward along the link</source>
        <translation>Adelante por el en&amp;lace</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>&amp;Ir</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>A&amp;yuda</translation>
    </message>
    <message>
        <source>&amp;High contrast</source>
        <translation>&amp;Alto contraste</translation>
    </message>
    <message>
        <source>&amp;Import</source>
        <translation>&amp;Importar</translation>
    </message>
    <message>
        <source>&amp;Inspector</source>
        <translation>&amp;Inspector</translation>
    </message>
    <message>
        <source>&amp;Journal</source>
        <translation>&amp;Diario</translation>
    </message>
    <message>
        <source>&amp;Keys…</source>
        <translation>&amp;Teclas…</translation>
    </message>
    <message>
        <source>&amp;Known at…</source>
        <translation>&amp;Conocido en…</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>&amp;Idioma</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Claro</translation>
    </message>
    <message>
        <source>&amp;Log</source>
        <translation>&amp;Bitácora</translation>
    </message>
    <message>
        <source>&amp;Navigator</source>
        <translation>&amp;Navegador</translation>
    </message>
    <message>
        <source>&amp;New store…</source>
        <translation>&amp;Nuevo almacén…</translation>
    </message>
    <message>
        <source>&amp;Next conflict</source>
        <translation>&amp;Siguiente conflicto</translation>
    </message>
    <message>
        <source>&amp;Next interval in the lane</source>
        <translation>Intervalo si&amp;guiente del carril</translation>
    </message>
    <message>
        <source>&amp;Normal</source>
        <translation>&amp;Normal</translation>
    </message>
    <message>
        <source>&amp;Open store…</source>
        <translation>&amp;Abrir almacén…</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>&amp;Paneles</translation>
    </message>
    <message>
        <source>&amp;Preferences…</source>
        <translation>&amp;Preferencias…</translation>
    </message>
    <message>
        <source>&amp;Previous interval in the lane</source>
        <translation>Intervalo &amp;anterior del carril</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Salir</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Rehacer</translation>
    </message>
    <message>
        <source>&amp;Redo “{label}”</source>
        <translation>&amp;Rehacer «{label}»</translation>
    </message>
    <message>
        <source>&amp;Retract…</source>
        <translation>&amp;Retractar…</translation>
    </message>
    <message>
        <source>&amp;Roomy</source>
        <translation>&amp;Amplia</translation>
    </message>
    <message>
        <source>&amp;Rows</source>
        <translation>&amp;Filas</translation>
    </message>
    <message>
        <source>&amp;Search</source>
        <translation>&amp;Buscar</translation>
    </message>
    <message>
        <source>&amp;Settle conflict…</source>
        <translation>Res&amp;olver conflicto…</translation>
    </message>
    <message>
        <source>&amp;Snapshot…</source>
        <translation>&amp;Instantánea…</translation>
    </message>
    <message>
        <source>&amp;Table…</source>
        <translation>&amp;Tabla…</translation>
    </message>
    <message>
        <source>&amp;Timeline</source>
        <translation>&amp;Línea de tiempo</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Deshacer</translation>
    </message>
    <message>
        <source>&amp;Undo “{label}”</source>
        <translation>&amp;Deshacer «{label}»</translation>
    </message>
    <message>
        <source>&amp;Valid at…</source>
        <translation>&amp;Válido en…</translation>
    </message>
    <message>
        <source>&amp;Verify a snapshot…</source>
        <translation>&amp;Verificar instantánea…</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ver</translation>
    </message>
    <message>
        <source>&amp;ZeroClaw memory…</source>
        <translation>Memoria de &amp;ZeroClaw…</translation>
    </message>
    <message>
        <source>&amp;Zoom in</source>
        <translation>A&amp;mpliar</translation>
    </message>
    <message>
        <source>A part of a record has no chain that could prove it.</source>
        <extracomment>What each condition needs, in the order in which a person would mend it.</extracomment>
        <translation>Una parte de un registro no tiene cadena que pueda demostrarla.</translation>
    </message>
    <message>
        <source>Add your word as evidence that the fact still holds.</source>
        <translation>Añade su palabra como evidencia de que el hecho sigue siendo cierto.</translation>
    </message>
    <message>
        <source>Anywhere</source>
        <translation>En todas partes</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>Como el &amp;sistema</translation>
    </message>
    <message>
        <source>Back to &amp;now</source>
        <translation>Volver a a&amp;hora</translation>
    </message>
    <message>
        <source>Begin the memory of another tenant in this store.</source>
        <translation>Empieza la memoria de otro inquilino en este almacén.</translation>
    </message>
    <message>
        <source>Both times are at now already.</source>
        <translation>Ambos tiempos están ya en ahora.</translation>
    </message>
    <message>
        <source>C&amp;lose snapshot</source>
        <translation>C&amp;errar instantánea</translation>
    </message>
    <message>
        <source>C&amp;lose store</source>
        <translation>C&amp;errar almacén</translation>
    </message>
    <message>
        <source>Check that nothing in a snapshot was changed.</source>
        <translation>Comprueba que nada cambió en una instantánea.</translation>
    </message>
    <message>
        <source>Choose the instant in the world to look at.</source>
        <translation>Elige el instante del mundo que se mira.</translation>
    </message>
    <message>
        <source>Choose the instant with whose knowledge to look.</source>
        <translation>Elige el instante con cuyo conocimiento se mira.</translation>
    </message>
    <message>
        <source>Choose theme, language, rows and how the program behaves.</source>
        <translation>Elige el tema, el idioma, las filas y el comportamiento del programa.</translation>
    </message>
    <message>
        <source>Clear the selection; in a dialog, leave without writing.</source>
        <translation>Quita la selección; en un diálogo, sale sin escribir.</translation>
    </message>
    <message>
        <source>Close the store and keep the window.</source>
        <translation>Cierra el almacén y deja la ventana abierta.</translation>
    </message>
    <message>
        <source>Con&amp;firm</source>
        <translation>Con&amp;firmar</translation>
    </message>
    <message>
        <source>Copy &amp;head</source>
        <translation>Copiar ca&amp;becera</translation>
    </message>
    <message>
        <source>Copy &amp;link to this view</source>
        <translation>Copiar &amp;enlace a esta vista</translation>
    </message>
    <message>
        <source>Copy a &amp;report</source>
        <translation>Copiar un &amp;informe</translation>
    </message>
    <message>
        <source>Copy a link that opens this store, filter and selection.</source>
        <translation>Copia un enlace que abre este almacén con su filtro y su selección.</translation>
    </message>
    <message>
        <source>Copy head, si&amp;gned…</source>
        <translation>Copiar cabecera &amp;firmada…</translation>
    </message>
    <message>
        <source>Copy number and digest of the newest transaction, to keep.</source>
        <translation>Copia número y huella de la transacción más reciente, para guardarlos.</translation>
    </message>
    <message>
        <source>Copy tenant and head with a signature by a key of yours.</source>
        <translation>Copia el inquilino y la cabecera con una firma de una clave propia.</translation>
    </message>
    <message>
        <source>Copy versions and the newest log lines for a bug report.</source>
        <translation>Copia las versiones y las últimas líneas de la bitácora para informar de un fallo.</translation>
    </message>
    <message>
        <source>Copy what is selected, as text for a table or a note.</source>
        <translation>Copia lo seleccionado como texto para una tabla o una nota.</translation>
    </message>
    <message>
        <source>Create an empty store in a file.</source>
        <translation>Crea un almacén vacío en un archivo.</translation>
    </message>
    <message>
        <source>Ctrl+Wheel</source>
        <translation>Ctrl+Rueda</translation>
    </message>
    <message>
        <source>Dark text on light ground.</source>
        <translation>Texto oscuro sobre fondo claro.</translation>
    </message>
    <message>
        <source>Do again what was undone.</source>
        <translation>Vuelve a hacer lo deshecho.</translation>
    </message>
    <message>
        <source>Drag</source>
        <translation>Arrastrar</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Intro</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>F&amp;act</source>
        <translation>&amp;Hecho</translation>
    </message>
    <message>
        <source>Find any command by a few letters.</source>
        <translation>Encuentra cualquier comando con unas pocas letras.</translation>
    </message>
    <message>
        <source>Finish what is being written and end the program.</source>
        <translation>Acaba lo que se está escribiendo y termina el programa.</translation>
    </message>
    <message>
        <source>Follo&amp;w writes by others</source>
        <translation>Seg&amp;uir escrituras de otros</translation>
    </message>
    <message>
        <source>Follow the link to what superseded it, or go forward.</source>
        <translation>Sigue el enlace hacia lo que lo sustituyó, o avanza.</translation>
    </message>
    <message>
        <source>Follow the link to what was superseded, or go back.</source>
        <translation>Sigue el enlace hacia lo sustituido, o retrocede.</translation>
    </message>
    <message>
        <source>Go to s&amp;ubject or attribute…</source>
        <translation>Ir a un &amp;sujeto o atributo…</translation>
    </message>
    <message>
        <source>Go to the beginning of the record, or to now.</source>
        <translation>Va al comienzo del registro, o a ahora.</translation>
    </message>
    <message>
        <source>Go to the next conflict that waits.</source>
        <translation>Va al siguiente conflicto que espera.</translation>
    </message>
    <message>
        <source>Go to what was found.</source>
        <translation>Va a lo encontrado.</translation>
    </message>
    <message>
        <source>Home, End</source>
        <translation>Inicio, Fin</translation>
    </message>
    <message>
        <source>Import facts from a CSV, TSV or JSON Lines file.</source>
        <translation>Importa hechos de un archivo CSV, TSV o JSON Lines.</translation>
    </message>
    <message>
        <source>Import the memory folder of a ZeroClaw agent.</source>
        <translation>Importa la carpeta de memoria de un agente de ZeroClaw.</translation>
    </message>
    <message>
        <source>Jump to a subject or attribute by a few letters of its name.</source>
        <translation>Salta a un sujeto o atributo con unas pocas letras de su nombre.</translation>
    </message>
    <message>
        <source>Left, Right</source>
        <translation>Izquierda, Derecha</translation>
    </message>
    <message>
        <source>Light text on dark ground.</source>
        <translation>Texto claro sobre fondo oscuro.</translation>
    </message>
    <message>
        <source>Light, dark or high contrast as the system is.</source>
        <translation>Claro, oscuro o alto contraste, según el sistema.</translation>
    </message>
    <message>
        <source>List every command with its keys.</source>
        <translation>Lista todos los comandos con sus teclas.</translation>
    </message>
    <message>
        <source>List the snapshots that were taken of this tenant.</source>
        <translation>Lista las instantáneas que se tomaron de este inquilino.</translation>
    </message>
    <message>
        <source>Look at another tenant of this store.</source>
        <translation>Mira otro inquilino de este almacén.</translation>
    </message>
    <message>
        <source>Look for damage in the file, the ledger and its chain.</source>
        <translation>Busca daños en el archivo, en el libro y en su cadena.</translation>
    </message>
    <message>
        <source>Low rows: more on the screen.</source>
        <translation>Filas bajas: cabe más en la pantalla.</translation>
    </message>
    <message>
        <source>Move the timeline to a later time.</source>
        <translation>Mueve la línea de tiempo hacia después.</translation>
    </message>
    <message>
        <source>Move the timeline to an earlier time.</source>
        <translation>Mueve la línea de tiempo hacia antes.</translation>
    </message>
    <message>
        <source>Ne&amp;w tenant…</source>
        <translation>N&amp;uevo inquilino…</translation>
    </message>
    <message>
        <source>No conflict is selected.</source>
        <translation>No hay ningún conflicto seleccionado.</translation>
    </message>
    <message>
        <source>No conflict waits.</source>
        <translation>No hay ningún conflicto pendiente.</translation>
    </message>
    <message>
        <source>No fact is selected.</source>
        <translation>No hay ningún hecho seleccionado.</translation>
    </message>
    <message>
        <source>No filter is set.</source>
        <translation>No hay ningún filtro puesto.</translation>
    </message>
    <message>
        <source>No store is open.</source>
        <translation>No hay ningún almacén abierto.</translation>
    </message>
    <message>
        <source>No store was opened before.</source>
        <translation>Antes no se abrió ningún almacén.</translation>
    </message>
    <message>
        <source>No transaction is selected in the journal.</source>
        <translation>No hay ninguna transacción seleccionada en el diario.</translation>
    </message>
    <message>
        <source>Nothing is selected.</source>
        <translation>No hay nada seleccionado.</translation>
    </message>
    <message>
        <source>Nothing was undone.</source>
        <translation>No se ha deshecho nada.</translation>
    </message>
    <message>
        <source>Nothing was written here since the store was opened.</source>
        <translation>Aquí no se ha escrito nada desde que se abrió el almacén.</translation>
    </message>
    <message>
        <source>Op&amp;en snapshot…</source>
        <translation>Abrir instan&amp;tánea…</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>Abrir &amp;reciente</translation>
    </message>
    <message>
        <source>Open a store that exists.</source>
        <translation>Abre un almacén que ya existe.</translation>
    </message>
    <message>
        <source>Open a support agent&apos;s memory of some months, made to try.</source>
        <translation>Abre la memoria de varios meses de un agente de soporte, hecha para probar.</translation>
    </message>
    <message>
        <source>Open copied lin&amp;k</source>
        <translation>Abrir e&amp;l enlace copiado</translation>
    </message>
    <message>
        <source>Open the &amp;demo store</source>
        <translation>Abrir el almacén de &amp;demostración</translation>
    </message>
    <message>
        <source>Open the &amp;last store</source>
        <translation>Abrir el ú&amp;ltimo almacén</translation>
    </message>
    <message>
        <source>Open the store that was open before.</source>
        <translation>Abre el almacén que estaba abierto antes.</translation>
    </message>
    <message>
        <source>Open the view whose link is in the clipboard.</source>
        <translation>Abre la vista cuyo enlace está en el portapapeles.</translation>
    </message>
    <message>
        <source>Page up, Page down</source>
        <translation>Re Pág, Av Pág</translation>
    </message>
    <message>
        <source>Pan to earl&amp;ier</source>
        <translation>Desplazar a an&amp;tes</translation>
    </message>
    <message>
        <source>Pan to l&amp;ater</source>
        <translation>Desplazar a &amp;después</translation>
    </message>
    <message>
        <source>Pan.</source>
        <translation>Desplaza la vista.</translation>
    </message>
    <message>
        <source>Put all panels back to where they were at first.</source>
        <translation>Devuelve todos los paneles a su sitio inicial.</translation>
    </message>
    <message>
        <source>Re&amp;vert transaction…</source>
        <translation>Re&amp;vertir transacción…</translation>
    </message>
    <message>
        <source>Read everything that is shown again.</source>
        <translation>Vuelve a leer todo lo que se muestra.</translation>
    </message>
    <message>
        <source>Refres&amp;h</source>
        <translation>&amp;Actualizar</translation>
    </message>
    <message>
        <source>Reset the la&amp;yout</source>
        <translation>Re&amp;stablecer la disposición</translation>
    </message>
    <message>
        <source>Restore a snapshot into this store or another.</source>
        <translation>Restaura una instantánea en este almacén o en otro.</translation>
    </message>
    <message>
        <source>Rows of normal height.</source>
        <translation>Filas de altura normal.</translation>
    </message>
    <message>
        <source>Say that the fact never held; its record stays.</source>
        <translation>Dice que el hecho nunca fue cierto; su registro permanece.</translation>
    </message>
    <message>
        <source>Say that the fact was wrong from the start, and what is right.</source>
        <translation>Dice que el hecho fue erróneo desde el principio, y qué es lo correcto.</translation>
    </message>
    <message>
        <source>Say when the fact stopped being true in the world.</source>
        <translation>Dice cuándo dejó el hecho de ser cierto en el mundo.</translation>
    </message>
    <message>
        <source>Scroll the lanes.</source>
        <translation>Recorre los carriles.</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Buscar</translation>
    </message>
    <message>
        <source>Search facts, episodes and transactions.</source>
        <translation>Busca hechos, episodios y transacciones.</translation>
    </message>
    <message>
        <source>See both claims side by side and decide.</source>
        <translation>Muestra ambas afirmaciones lado a lado para decidir.</translation>
    </message>
    <message>
        <source>Select a time range across lanes.</source>
        <translation>Selecciona un periodo en varios carriles.</translation>
    </message>
    <message>
        <source>Select the interval after this one.</source>
        <translation>Selecciona el intervalo siguiente.</translation>
    </message>
    <message>
        <source>Select the interval before this one.</source>
        <translation>Selecciona el intervalo anterior.</translation>
    </message>
    <message>
        <source>Set both times back to now.</source>
        <translation>Devuelve ambos tiempos a ahora.</translation>
    </message>
    <message>
        <source>Shift+Drag</source>
        <translation>Mayús+Arrastrar</translation>
    </message>
    <message>
        <source>Show &amp;superseded beliefs</source>
        <translation>Mostrar creencias &amp;sustituidas</translation>
    </message>
    <message>
        <source>Show a longer time, smaller.</source>
        <translation>Muestra un tiempo más largo, más pequeño.</translation>
    </message>
    <message>
        <source>Show a shorter time, larger.</source>
        <translation>Muestra un tiempo más corto, más grande.</translation>
    </message>
    <message>
        <source>Show everything again, in every panel.</source>
        <translation>Vuelve a mostrarlo todo, en todos los paneles.</translation>
    </message>
    <message>
        <source>Show or hide the list of conflicts.</source>
        <translation>Muestra u oculta la lista de conflictos.</translation>
    </message>
    <message>
        <source>Show or hide the list of subjects, types and conflicts.</source>
        <translation>Muestra u oculta la lista de sujetos, tipos y conflictos.</translation>
    </message>
    <message>
        <source>Show or hide the list of transactions.</source>
        <translation>Muestra u oculta la lista de transacciones.</translation>
    </message>
    <message>
        <source>Show or hide the record, versions and sources of a fact.</source>
        <translation>Muestra u oculta el registro, las versiones y las fuentes de un hecho.</translation>
    </message>
    <message>
        <source>Show or hide the sources from which facts came.</source>
        <translation>Muestra u oculta las fuentes de las que vinieron los hechos.</translation>
    </message>
    <message>
        <source>Show or hide the table of facts.</source>
        <translation>Muestra u oculta la tabla de hechos.</translation>
    </message>
    <message>
        <source>Show or hide the timeline.</source>
        <translation>Muestra u oculta la línea de tiempo.</translation>
    </message>
    <message>
        <source>Show or hide what the program noted about its own work.</source>
        <translation>Muestra u oculta lo que el programa anotó sobre su propio trabajo.</translation>
    </message>
    <message>
        <source>Show the &amp;log</source>
        <translation>Mostrar la &amp;bitácora</translation>
    </message>
    <message>
        <source>Show the program in English.</source>
        <translation>Muestra el programa en inglés.</translation>
    </message>
    <message>
        <source>Show the program in Spanish.</source>
        <translation>Muestra el programa en español.</translation>
    </message>
    <message>
        <source>Show the record in a snapshot, read-only.</source>
        <translation>Muestra el registro de una instantánea, solo para lectura.</translation>
    </message>
    <message>
        <source>Show the version, the licences and where files are kept.</source>
        <translation>Muestra la versión, las licencias y dónde se guardan los archivos.</translation>
    </message>
    <message>
        <source>Show what other programs write within a second.</source>
        <translation>Muestra en menos de un segundo lo que escriben otros programas.</translation>
    </message>
    <message>
        <source>Show what the program noted about its own work.</source>
        <translation>Muestra lo que el programa anotó sobre su propio trabajo.</translation>
    </message>
    <message>
        <source>Show what was believed before as outlines.</source>
        <translation>Muestra como contornos lo que se creía antes.</translation>
    </message>
    <message>
        <source>Show where the store is, its counts and what it can do.</source>
        <translation>Muestra dónde está el almacén, sus cuentas y lo que puede hacer.</translation>
    </message>
    <message>
        <source>Sn&amp;apshots taken…</source>
        <translation>Instantáneas t&amp;omadas…</translation>
    </message>
    <message>
        <source>Something is being written; a moment, please.</source>
        <translation>Se está escribiendo algo; un momento, por favor.</translation>
    </message>
    <message>
        <source>Step by a day.</source>
        <translation>Avanza o retrocede un día.</translation>
    </message>
    <message>
        <source>Step by a week.</source>
        <translation>Avanza o retrocede una semana.</translation>
    </message>
    <message>
        <source>Store &amp;properties…</source>
        <translation>&amp;Propiedades del almacén…</translation>
    </message>
    <message>
        <source>Switch &amp;tenant…</source>
        <translation>Cambiar de in&amp;quilino…</translation>
    </message>
    <message>
        <source>Take a &amp;snapshot…</source>
        <translation>To&amp;mar instantánea…</translation>
    </message>
    <message>
        <source>Take a transaction back by a new one that says why.</source>
        <translation>Anula una transacción con otra nueva que dice por qué.</translation>
    </message>
    <message>
        <source>Take back the last write by a transaction of its own.</source>
        <translation>Anula la última escritura con una transacción propia.</translation>
    </message>
    <message>
        <source>Tall rows: easier to point at.</source>
        <translation>Filas altas: más fáciles de señalar.</translation>
    </message>
    <message>
        <source>Th&amp;eme</source>
        <translation>T&amp;ema</translation>
    </message>
    <message>
        <source>The language of the system, if there is a translation.</source>
        <translation>El idioma del sistema, si hay traducción.</translation>
    </message>
    <message>
        <source>The store can only be read.</source>
        <translation>El almacén es solo de lectura.</translation>
    </message>
    <message>
        <source>There is nothing to go back to.</source>
        <translation>No hay nada a lo que volver.</translation>
    </message>
    <message>
        <source>There is nothing to go forward to.</source>
        <translation>No hay nada hacia lo que avanzar.</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Línea de tiempo</translation>
    </message>
    <message>
        <source>Valid at and known at</source>
        <translation>Válido en y conocido en</translation>
    </message>
    <message>
        <source>Wheel</source>
        <translation>Rueda</translation>
    </message>
    <message>
        <source>White on black with strong edges.</source>
        <translation>Blanco sobre negro con bordes marcados.</translation>
    </message>
    <message>
        <source>Write a fact as the operator.</source>
        <translation>Escribe un hecho como operador.</translation>
    </message>
    <message>
        <source>Write what the record says into files that prove it.</source>
        <translation>Escribe lo que dice el registro en archivos que lo prueban.</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>&amp;Reducir</translation>
    </message>
    <message>
        <source>Zoom at the pointer.</source>
        <translation>Amplía o reduce en el puntero.</translation>
    </message>
    <message>
        <source>Zoom to selection or &amp;fit all</source>
        <translation>A&amp;justar a la selección o a todo</translation>
    </message>
    <message>
        <source>Zoom to what is selected; again, to the entire record.</source>
        <translation>Ajusta a lo seleccionado; otra vez, a todo el registro.</translation>
    </message>
</context>
<context>
    <name>AddFactDialog</name>
    <message>
        <source>A new attribute; it has one value at a time.</source>
        <translation>Un atributo nuevo; tiene un valor cada vez.</translation>
    </message>
    <message>
        <source>Add a fact</source>
        <translation>Añadir un hecho</translation>
    </message>
    <message>
        <source>Add fact</source>
        <translation>Añadir hecho</translation>
    </message>
    <message>
        <source>Add {attribute}</source>
        <translation>Añadir {attribute}</translation>
    </message>
    <message>
        <source>Attribute</source>
        <translation>Atributo</translation>
    </message>
    <message>
        <source>Begins</source>
        <translation>Empieza</translation>
    </message>
    <message>
        <source>Belongs to</source>
        <translation>Pertenece a</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>Confianza</translation>
    </message>
    <message>
        <source>Ends</source>
        <translation>Termina</translation>
    </message>
    <message>
        <source>Name the attribute.</source>
        <translation>Nombre el atributo.</translation>
    </message>
    <message>
        <source>Of type {type}; it has one value at a time.</source>
        <translation>De tipo {type}; tiene un valor cada vez.</translation>
    </message>
    <message>
        <source>Of type {type}; it may have several values at once.</source>
        <translation>De tipo {type}; puede tener varios valores a la vez.</translation>
    </message>
    <message>
        <source>Say whom or what it is about.</source>
        <translation>Diga de quién o de qué trata.</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>Sujeto</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Tipo</translation>
    </message>
    <message>
        <source>Type the value.</source>
        <translation>Escriba el valor.</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Valor</translation>
    </message>
    <message>
        <source>What holds, since when, and how you know it; no other claim is overwritten.</source>
        <translation>Qué es válido, desde cuándo y cómo lo sabe; ninguna otra afirmación se sobrescribe.</translation>
    </message>
    <message>
        <source>all agents of the tenant</source>
        <translation>todos los agentes del inquilino</translation>
    </message>
    <message>
        <source>until changed</source>
        <translation>hasta que cambie</translation>
    </message>
</context>
<context>
    <name>BeforeAfter</name>
    <message numerus="yes">
        <source>%n more key(s) changed.</source>
        <translation>
            <numerusform>Cambió %n clave más.</numerusform>
            <numerusform>Cambiaron %n claves más.</numerusform>
        </translation>
    </message>
    <message>
        <source>After</source>
        <translation>Después</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Antes</translation>
    </message>
    <message>
        <source>No read gives another answer.</source>
        <translation>Ninguna lectura da otra respuesta.</translation>
    </message>
    <message>
        <source>{number} more stretches change.</source>
        <translation>Cambian {number} tramos más.</translation>
    </message>
</context>
<context>
    <name>BeliefPicture</name>
    <message>
        <source>After transaction {number}: {stretches}.</source>
        <translation>Tras la transacción {number}: {stretches}.</translation>
    </message>
    <message>
        <source>What the ledger believed, on both axes</source>
        <translation>Lo que creía el libro, en ambos ejes</translation>
    </message>
    <message>
        <source>believed since {begins} (tx {first})</source>
        <translation>se cree desde {begins} (tx {first})</translation>
    </message>
    <message>
        <source>believed {begins} (tx {first}) → {ends} (tx {last})</source>
        <translation>se creyó {begins} (tx {first}) → {ends} (tx {last})</translation>
    </message>
    <message>
        <source>nothing holds</source>
        <translation>nada es válido</translation>
    </message>
    <message>
        <source>tx {number}</source>
        <translation>tx {number}</translation>
    </message>
    <message>
        <source>valid: {period} (UTC)</source>
        <translation>válido: {period} (UTC)</translation>
    </message>
</context>
<context>
    <name>BothInputs</name>
    <message>
        <source>Qualifier</source>
        <translation>Calificador</translation>
    </message>
    <message>
        <source>becomes {name}</source>
        <translation>pasa a ser {name}</translation>
    </message>
    <message>
        <source>such as work or home</source>
        <translation>por ejemplo trabajo o casa</translation>
    </message>
    <message>
        <source>the incoming claim is about something narrower:</source>
        <translation>la afirmación entrante trata de algo más concreto:</translation>
    </message>
    <message>
        <source>{attribute} has several values at once from now on</source>
        <translation>{attribute} tiene varios valores a la vez desde ahora</translation>
    </message>
</context>
<context>
    <name>BusyLine</name>
    <message>
        <source>Working</source>
        <translation>Trabajando</translation>
    </message>
</context>
<context>
    <name>Capabilities</name>
    <message>
        <source>A fact and its copies can be removed physically.</source>
        <translation>Un hecho y sus copias se pueden borrar físicamente.</translation>
    </message>
    <message>
        <source>A write is carried out entirely or not at all.</source>
        <translation>Una escritura se hace entera o no se hace.</translation>
    </message>
    <message>
        <source>A write that is broken off may be carried out by half.</source>
        <translation>Una escritura interrumpida puede quedar a medias.</translation>
    </message>
    <message>
        <source>Erase</source>
        <translation>Borrado</translation>
    </message>
    <message>
        <source>Every belief stays; one can look as of any instant.</source>
        <translation>Toda creencia permanece; se puede mirar a fecha de cualquier instante.</translation>
    </message>
    <message>
        <source>Full text</source>
        <translation>Texto completo</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Historia</translation>
    </message>
    <message>
        <source>It holds the present only; nothing before can be seen.</source>
        <translation>Solo guarda el presente; no se ve nada anterior.</translation>
    </message>
    <message>
        <source>It lives in memory; all is gone when it is closed.</source>
        <translation>Vive en la memoria; al cerrarlo desaparece todo.</translation>
    </message>
    <message>
        <source>Kept on disk</source>
        <extracomment>For each capability: its name, what it gives, and what its lack means.</extracomment>
        <translation>Guardado en disco</translation>
    </message>
    <message>
        <source>Many writers</source>
        <translation>Varios escritores</translation>
    </message>
    <message>
        <source>Nothing can be removed physically: no kind of store can yet. A fact can be retracted, and its record stays.</source>
        <translation>Nada se puede borrar físicamente: todavía no puede ningún tipo de almacén. Un hecho se puede retractar, y su registro permanece.</translation>
    </message>
    <message>
        <source>Only this program can write to it.</source>
        <translation>Solo puede escribir este programa.</translation>
    </message>
    <message>
        <source>Several programs can write at once; none is lost.</source>
        <translation>Varios programas pueden escribir a la vez; no se pierde nada.</translation>
    </message>
    <message>
        <source>Transactions</source>
        <translation>Transacciones</translation>
    </message>
    <message>
        <source>What is written is there after the program has ended.</source>
        <translation>Lo escrito sigue ahí cuando el programa termina.</translation>
    </message>
    <message>
        <source>Words are found by looking at every fact and episode.</source>
        <translation>Las palabras se buscan mirando cada hecho y cada episodio.</translation>
    </message>
    <message>
        <source>Words are found in facts and episodes by an index.</source>
        <translation>Las palabras se encuentran en hechos y episodios por un índice.</translation>
    </message>
</context>
<context>
    <name>ChainStrip</name>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Chain checked up to {number}, {instant}: nothing wrong</source>
        <translation>Cadena comprobada hasta {number}, {instant}: nada mal</translation>
    </message>
    <message>
        <source>Chain not checked yet</source>
        <translation>Cadena aún sin comprobar</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Comprobar</translation>
    </message>
    <message>
        <source>Checked {instant}: damaged</source>
        <translation>Comprobado {instant}: dañado</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>Comprobando…</translation>
    </message>
    <message>
        <source>Checking… {share} %</source>
        <translation>Comprobando… {share} %</translation>
    </message>
    <message>
        <source>Copy the head, to be kept outside the store</source>
        <translation>Copiar la cabecera, para guardarla fuera del almacén</translation>
    </message>
    <message>
        <source>Look at every row and every digest of the store</source>
        <translation>Mirar cada fila y cada huella del almacén</translation>
    </message>
    <message>
        <source>Progress of the check</source>
        <translation>Avance de la comprobación</translation>
    </message>
    <message>
        <source>Stop the check</source>
        <translation>Detener la comprobación</translation>
    </message>
    <message>
        <source>head {number}:{digest}…</source>
        <translation>cabecera {number}:{digest}…</translation>
    </message>
</context>
<context>
    <name>CheckDialog</name>
    <message>
        <source>A head is a number, a colon and 64 digits of a digest.</source>
        <translation>Una cabecera es un número, dos puntos y los 64 dígitos de una huella.</translation>
    </message>
    <message>
        <source>A head is the number and the digest of the newest transaction. One that was kept elsewhere shows whether the end of the record was cut off since.</source>
        <translation>Una cabecera es el número y la huella de la transacción más nueva. Si se guardó en otro lugar, muestra si desde entonces se cortó el final del registro.</translation>
    </message>
    <message>
        <source>At everything: each row of each tenant, the whole file</source>
        <translation>Todo: cada fila de cada inquilino y el archivo entero</translation>
    </message>
    <message>
        <source>At what can be seen at once</source>
        <translation>Lo que se ve de inmediato</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Comprobar</translation>
    </message>
    <message>
        <source>Check store</source>
        <translation>Comprobar almacén</translation>
    </message>
    <message>
        <source>Checking</source>
        <translation>Comprobando</translation>
    </message>
    <message>
        <source>Checking the store</source>
        <translation>Comprobando el almacén</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>Comparar con</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>Copiar informe</translation>
    </message>
    <message>
        <source>Head that you kept</source>
        <translation>Cabecera guardada</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>Mirar</translation>
    </message>
    <message>
        <source>NUMBER:DIGEST or its whole line, if you kept one</source>
        <translation>NÚMERO:HUELLA o su línea entera, si la guardó</translation>
    </message>
    <message>
        <source>Tenant of the head</source>
        <translation>Inquilino de la cabecera</translation>
    </message>
</context>
<context>
    <name>CheckRules</name>
    <message>
        <source>beliefs end after they begin</source>
        <translation>las creencias terminan después de empezar</translation>
    </message>
    <message>
        <source>derived rows follow from the assertions</source>
        <translation>las filas derivadas se siguen de las afirmaciones</translation>
    </message>
    <message>
        <source>everything has what it belongs to</source>
        <translation>todo tiene aquello a lo que pertenece</translation>
    </message>
    <message>
        <source>live rows have different beginnings</source>
        <translation>las filas vivas tienen comienzos distintos</translation>
    </message>
    <message>
        <source>sources exist</source>
        <translation>las fuentes existen</translation>
    </message>
    <message>
        <source>stated ends follow beginnings</source>
        <translation>los finales declarados siguen a los comienzos</translation>
    </message>
    <message>
        <source>the chain of digests holds</source>
        <translation>la cadena de huellas es correcta</translation>
    </message>
    <message>
        <source>the file is whole</source>
        <extracomment>The rules as the backends name them.</extracomment>
        <translation>el archivo está entero</translation>
    </message>
    <message>
        <source>the indexes and short cuts fit the record</source>
        <translation>los índices y atajos concuerdan con el registro</translation>
    </message>
    <message>
        <source>the outside head is in the chain</source>
        <translation>la cabecera externa está en la cadena</translation>
    </message>
    <message>
        <source>the rows of a fact say one value</source>
        <translation>las filas de un hecho dicen un solo valor</translation>
    </message>
    <message>
        <source>transactions are numbered without gaps and rise in time</source>
        <translation>las transacciones van numeradas sin huecos y avanzan en el tiempo</translation>
    </message>
</context>
<context>
    <name>ChecksList</name>
    <message>
        <source>So many were looked at</source>
        <translation>Tantos se miraron</translation>
    </message>
</context>
<context>
    <name>ClaimCard</name>
    <message>
        <source>1 is trusted most.</source>
        <translation>1 es la más fiable.</translation>
    </message>
    <message>
        <source>Begins</source>
        <translation>Empieza</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>Confianza</translation>
    </message>
    <message>
        <source>Ends</source>
        <translation>Termina</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>Registrado</translation>
    </message>
    <message>
        <source>Show this episode behind.</source>
        <translation>Muestra este episodio detrás.</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Fuente</translation>
    </message>
    <message>
        <source>Text of {episode}</source>
        <translation>Texto de {episode}</translation>
    </message>
    <message>
        <source>Trust</source>
        <translation>Fiabilidad</translation>
    </message>
    <message>
        <source>Value: {value}</source>
        <translation>Valor: {value}</translation>
    </message>
    <message>
        <source>Waiting claims</source>
        <translation>Afirmaciones en espera</translation>
    </message>
    <message>
        <source>Which of the waiting claims</source>
        <translation>Cuál de las afirmaciones en espera</translation>
    </message>
    <message>
        <source>no end stated</source>
        <translation>sin final declarado</translation>
    </message>
    <message>
        <source>{kind} ({rank} of {ranks})</source>
        <translation>{kind} ({rank} de {ranks})</translation>
    </message>
    <message>
        <source>{number} of {count}: {value}</source>
        <translation>{number} de {count}: {value}</translation>
    </message>
    <message>
        <source>{when} by {agent}</source>
        <translation>{when} por {agent}</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Type a part of a command</source>
        <translation>Escriba parte de un comando</translation>
    </message>
</context>
<context>
    <name>ConfirmFactDialog</name>
    <message>
        <source>Confirm</source>
        <translation>Confirmar</translation>
    </message>
    <message>
        <source>Confirm {attribute}</source>
        <translation>Confirmar {attribute}</translation>
    </message>
    <message>
        <source>Confirm {key}</source>
        <translation>Confirmar {key}</translation>
    </message>
    <message>
        <source>The episode is added to the evidence.</source>
        <translation>El episodio se añade a la evidencia.</translation>
    </message>
    <message>
        <source>Your note is added to the evidence; what can be read stays as it is.</source>
        <translation>Su nota se añade a la evidencia; lo que se puede leer queda como está.</translation>
    </message>
</context>
<context>
    <name>Conflict</name>
    <message>
        <source>Change the beginning or the end of one of the claims.</source>
        <translation>Cambie el comienzo o el final de una de las afirmaciones.</translation>
    </message>
    <message>
        <source>Choose an outcome: press 1 to 6.</source>
        <extracomment>How far a source is trusted, the most first (`semantics.md` section 5).</extracomment>
        <translation>Elija un resultado: pulse de 1 a 6.</translation>
    </message>
    <message>
        <source>Type the qualifier.</source>
        <translation>Escriba el calificador.</translation>
    </message>
    <message>
        <source>Type the value that is true.</source>
        <translation>Escriba el valor verdadero.</translation>
    </message>
</context>
<context>
    <name>ConflictDialog</name>
    <message numerus="yes">
        <source>%n conflict(s) wait</source>
        <translation>
            <numerusform>%n conflicto espera</numerusform>
            <numerusform>%n conflictos esperan</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other waiting claim(s) would be recorded as rejected.</source>
        <translation>
            <numerusform>Otra afirmación en espera (%n) quedaría registrada como rechazada.</numerusform>
            <numerusform>Otras %n afirmaciones en espera quedarían registradas como rechazadas.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Also settle the %n other(s) with this pair of sources</source>
        <translation>
            <numerusform>Resolver también el otro (%n) con este par de fuentes</numerusform>
            <numerusform>Resolver también los otros %n con este par de fuentes</numerusform>
        </translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
    <message>
        <source>Close; nothing is written.</source>
        <translation>Cerrar; no se escribe nada.</translation>
    </message>
    <message>
        <source>Conflict {place} of {count}</source>
        <translation>Conflicto {place} de {count}</translation>
    </message>
    <message>
        <source>Conflicts</source>
        <translation>Conflictos</translation>
    </message>
    <message>
        <source>Defer</source>
        <translation>Aplazar</translation>
    </message>
    <message>
        <source>For outcomes 1, 2 and 4; a time or a value that is typed is for one conflict only.</source>
        <translation>Para los resultados 1, 2 y 4; un tiempo o un valor escrito es para un solo conflicto.</translation>
    </message>
    <message>
        <source>Go on to the next</source>
        <translation>Seguir con el siguiente</translation>
    </message>
    <message>
        <source>Incoming</source>
        <translation>Entrante</translation>
    </message>
    <message>
        <source>Next conflict</source>
        <translation>Conflicto siguiente</translation>
    </message>
    <message>
        <source>Next conflict (Alt+Right)</source>
        <translation>Conflicto siguiente (Alt+Derecha)</translation>
    </message>
    <message>
        <source>No conflicts wait.</source>
        <translation>No espera ningún conflicto.</translation>
    </message>
    <message>
        <source>Nothing will be written: the conflict stays in the list, and the fact reads as disputed.</source>
        <translation>No se escribirá nada: el conflicto sigue en la lista y el hecho se lee como disputado.</translation>
    </message>
    <message>
        <source>One value that two sources let end at different times.</source>
        <translation>Un valor que dos fuentes hacen terminar en momentos distintos.</translation>
    </message>
    <message>
        <source>Previous conflict</source>
        <translation>Conflicto anterior</translation>
    </message>
    <message>
        <source>Previous conflict (Alt+Left)</source>
        <translation>Conflicto anterior (Alt+Izquierda)</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Motivo</translation>
    </message>
    <message numerus="yes">
        <source>Record %n decision(s)</source>
        <translation>
            <numerusform>Registrar %n decisión</numerusform>
            <numerusform>Registrar %n decisiones</numerusform>
        </translation>
    </message>
    <message>
        <source>Record decision</source>
        <translation>Registrar decisión</translation>
    </message>
    <message>
        <source>Settle conflict</source>
        <translation>Resolver conflicto</translation>
    </message>
    <message>
        <source>Standing</source>
        <translation>Vigente</translation>
    </message>
    <message>
        <source>The standing claim has left the record; there is nothing to decide.</source>
        <translation>La afirmación vigente salió del registro; no hay nada que decidir.</translation>
    </message>
    <message>
        <source>Two stated periods that cross from {begins} to {ends}.</source>
        <translation>Dos periodos declarados que se cruzan de {begins} a {ends}.</translation>
    </message>
    <message>
        <source>Two values that begin at the same instant, {begins}.</source>
        <translation>Dos valores que empiezan en el mismo instante, {begins}.</translation>
    </message>
    <message>
        <source>What sources disagree about comes here, and a person decides.</source>
        <translation>Lo que las fuentes contradicen llega aquí, y una persona decide.</translation>
    </message>
    <message>
        <source>What would follow for each is shown before anything is written.</source>
        <translation>Lo que resultaría para cada uno se muestra antes de escribir nada.</translation>
    </message>
    <message>
        <source>Why this is right</source>
        <translation>Por qué es lo correcto</translation>
    </message>
    <message>
        <source>goes on waiting</source>
        <translation>sigue en espera</translation>
    </message>
    <message>
        <source>stays, disputed</source>
        <translation>queda, en disputa</translation>
    </message>
    <message>
        <source>would be rejected</source>
        <translation>se rechazaría</translation>
    </message>
    <message>
        <source>would give way</source>
        <translation>cedería</translation>
    </message>
    <message>
        <source>would hold</source>
        <translation>sería válido</translation>
    </message>
    <message>
        <source>would move</source>
        <translation>se movería</translation>
    </message>
    <message>
        <source>would stay</source>
        <translation>quedaría</translation>
    </message>
    <message>
        <source>{kind} by {agent}</source>
        <translation>{kind} de {agent}</translation>
    </message>
    <message>
        <source>{who} settled this at {when}: {outcome}. Reason: {reason}</source>
        <translation>{who} lo resolvió en {when}: {outcome}. Motivo: {reason}</translation>
    </message>
</context>
<context>
    <name>ConflictPage</name>
    <message>
        <source>Begins</source>
        <translation>Empieza</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>Confianza</translation>
    </message>
    <message>
        <source>Contested</source>
        <translation>En disputa</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>Decisión</translation>
    </message>
    <message>
        <source>Incoming</source>
        <translation>Entrante</translation>
    </message>
    <message>
        <source>Raised</source>
        <translation>Surgió</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Motivo</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>Registrado</translation>
    </message>
    <message>
        <source>Settled</source>
        <translation>Resuelto</translation>
    </message>
    <message>
        <source>Settle…</source>
        <translation>Resolver…</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Fuente</translation>
    </message>
    <message>
        <source>Standing</source>
        <translation>Vigente</translation>
    </message>
    <message>
        <source>Stated end</source>
        <translation>Final declarado</translation>
    </message>
</context>
<context>
    <name>ConflictPresenter</name>
    <message>
        <source>Give a reason.</source>
        <translation>Dé un motivo.</translation>
    </message>
    <message>
        <source>Settle {key}</source>
        <translation>Resolver {key}</translation>
    </message>
    <message>
        <source>another claim has come in.</source>
        <translation>ha llegado otra afirmación.</translation>
    </message>
    <message>
        <source>the key was written to.</source>
        <translation>se escribió en la clave.</translation>
    </message>
    <message>
        <source>the standing claim has left the record.</source>
        <translation>la afirmación vigente salió del registro.</translation>
    </message>
    <message>
        <source>{who} settled it at {when}: {outcome}.</source>
        <translation>{who} lo resolvió en {when}: {outcome}.</translation>
    </message>
    <message>
        <source>{who} wrote to the key at {when} ({kind}, transaction {number}).</source>
        <translation>{who} escribió en la clave en {when} ({kind}, transacción {number}).</translation>
    </message>
</context>
<context>
    <name>ConflictStrip</name>
    <message>
        <source>Disputed, {kind}. Waiting beside it: {values}.</source>
        <translation>En disputa, {kind}. Esperan a su lado: {values}.</translation>
    </message>
    <message>
        <source>Settle…</source>
        <translation>Resolver…</translation>
    </message>
</context>
<context>
    <name>Conflicts</name>
    <message>
        <source>Age</source>
        <translation>Antigüedad</translation>
    </message>
    <message>
        <source>Attribute</source>
        <translation>Atributo</translation>
    </message>
    <message>
        <source>Disagreement</source>
        <translation>Desacuerdo</translation>
    </message>
    <message>
        <source>Incoming</source>
        <translation>Entrante</translation>
    </message>
    <message>
        <source>Raised</source>
        <translation>Surgió</translation>
    </message>
    <message>
        <source>Standing</source>
        <translation>Vigente</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Estado</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>Sujeto</translation>
    </message>
    <message>
        <source>ends differ</source>
        <translation>otro final</translation>
    </message>
    <message>
        <source>periods cross</source>
        <translation>se cruzan</translation>
    </message>
    <message>
        <source>values differ</source>
        <translation>otro valor</translation>
    </message>
</context>
<context>
    <name>ConflictsModel</name>
    <message>
        <source>Claims</source>
        <translation>Afirmaciones</translation>
    </message>
    <message>
        <source>Conflict</source>
        <translation>Conflicto</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>Hecho</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Desde</translation>
    </message>
</context>
<context>
    <name>ConflictsPresenter</name>
    <message>
        <source>Reading conflicts</source>
        <translation>Leyendo conflictos</translation>
    </message>
</context>
<context>
    <name>ConflictsView</name>
    <message numerus="yes">
        <source>%n conflict(s) wait</source>
        <translation>
            <numerusform>%n conflicto espera</numerusform>
            <numerusform>%n conflictos esperan</numerusform>
        </translation>
    </message>
    <message>
        <source>Clear all filters</source>
        <translation>Quitar todos los filtros</translation>
    </message>
    <message>
        <source>Clear the filter to see all.</source>
        <translation>Quite el filtro para verlos todos.</translation>
    </message>
    <message>
        <source>Conflicts</source>
        <translation>Conflictos</translation>
    </message>
    <message>
        <source>Conflicts are listed here.</source>
        <translation>Aquí se listan los conflictos.</translation>
    </message>
    <message>
        <source>Enter opens the conflict to decide it.</source>
        <translation>Intro abre el conflicto para decidirlo.</translation>
    </message>
    <message>
        <source>No conflict fits the filter.</source>
        <translation>Ningún conflicto coincide con el filtro.</translation>
    </message>
    <message>
        <source>No conflicts wait.</source>
        <translation>No espera ningún conflicto.</translation>
    </message>
    <message>
        <source>Settled and stale too</source>
        <translation>También resueltos y caducos</translation>
    </message>
    <message>
        <source>Show the settled ones</source>
        <translation>Mostrar los resueltos</translation>
    </message>
    <message>
        <source>There was no conflict yet.</source>
        <translation>Aún no hubo ningún conflicto.</translation>
    </message>
    <message>
        <source>Where two sources disagree, both claims come here and a person decides.</source>
        <translation>Donde dos fuentes discrepan, ambas afirmaciones llegan aquí y una persona decide.</translation>
    </message>
</context>
<context>
    <name>CorrectFactDialog</name>
    <message>
        <source>Begins</source>
        <translation>Empieza</translation>
    </message>
    <message>
        <source>Change the value, the beginning or the end.</source>
        <translation>Cambie el valor, el comienzo o el final.</translation>
    </message>
    <message>
        <source>Correct</source>
        <translation>Corregir</translation>
    </message>
    <message>
        <source>Correct {attribute}</source>
        <translation>Corregir {attribute}</translation>
    </message>
    <message>
        <source>Correct {key}</source>
        <translation>Corregir {key}</translation>
    </message>
    <message>
        <source>Ends</source>
        <translation>Termina</translation>
    </message>
    <message>
        <source>Statement</source>
        <translation>Declaración</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Valor</translation>
    </message>
    <message>
        <source>as it is</source>
        <translation>como está</translation>
    </message>
    <message>
        <source>from {when}</source>
        <translation>desde {when}</translation>
    </message>
    <message>
        <source>until changed</source>
        <translation>hasta que cambie</translation>
    </message>
</context>
<context>
    <name>CountsCard</name>
    <message numerus="yes">
        <source>%n fact(s)</source>
        <translation>
            <numerusform>%n hecho</numerusform>
            <numerusform>%n hechos</numerusform>
        </translation>
    </message>
    <message>
        <source>Disputed</source>
        <translation>En disputa</translation>
    </message>
    <message>
        <source>Episodes cited</source>
        <translation>Episodios citados</translation>
    </message>
    <message>
        <source>Imprecise</source>
        <translation>Imprecisos</translation>
    </message>
    <message>
        <source>In the snapshot</source>
        <translation>En la instantánea</translation>
    </message>
    <message>
        <source>Open conflicts</source>
        <translation>Conflictos abiertos</translation>
    </message>
    <message>
        <source>Settled by a person</source>
        <translation>Resueltos por una persona</translation>
    </message>
    <message>
        <source>Settled otherwise</source>
        <translation>Resueltos de otro modo</translation>
    </message>
    <message>
        <source>Transactions</source>
        <translation>Transacciones</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>Versiones</translation>
    </message>
    <message>
        <source>With a marked passage</source>
        <translation>Con pasaje marcado</translation>
    </message>
    <message>
        <source>With a source</source>
        <translation>Con fuente</translation>
    </message>
    <message>
        <source>Without a source</source>
        <translation>Sin fuente</translation>
    </message>
    <message>
        <source>{part} of {whole}</source>
        <translation>{part} de {whole}</translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message>
        <source>Copied</source>
        <translation>Copiado</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>Copiar informe</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Informe</translation>
    </message>
    <message>
        <source>Report of a fault in the program</source>
        <translation>Informe de un fallo del programa</translation>
    </message>
    <message numerus="yes">
        <source>The program has %n fault(s) that you ran into</source>
        <translation>
            <numerusform>El programa tiene %n fallo con el que se ha topado</numerusform>
            <numerusform>El programa tiene %n fallos con los que se ha topado</numerusform>
        </translation>
    </message>
    <message>
        <source>What was committed to the store is safe. You can go on; if something does not answer, start the program again. Copy the report and send it to the people who make the program, after you have looked through it: it can hold words from your store.</source>
        <translation>Lo confirmado en el almacén está a salvo. Puede continuar; si algo no responde, inicie el programa de nuevo. Copie el informe y envíelo a quienes hacen el programa después de revisarlo: puede contener palabras de su almacén.</translation>
    </message>
</context>
<context>
    <name>Desk</name>
    <message>
        <source>Settings are not kept: {e}</source>
        <translation>Los ajustes no se guardan: {e}</translation>
    </message>
</context>
<context>
    <name>DetailPane</name>
    <message>
        <source>It was reverted already</source>
        <translation>Ya fue revertida</translation>
    </message>
    <message>
        <source>Look as of then</source>
        <translation>Mirar a fecha de entonces</translation>
    </message>
    <message>
        <source>Look at the record as the ledger knew it with this transaction</source>
        <translation>Mirar el registro como lo conocía el libro con esta transacción</translation>
    </message>
    <message>
        <source>Revert…</source>
        <translation>Revertir…</translation>
    </message>
    <message>
        <source>Take it back by a new transaction that says why</source>
        <translation>Anularla con una transacción nueva que dice por qué</translation>
    </message>
    <message>
        <source>This store is open for reading</source>
        <translation>Este almacén está abierto para lectura</translation>
    </message>
</context>
<context>
    <name>DoneView</name>
    <message>
        <source>As of</source>
        <translation>A fecha de</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Contenido</translation>
    </message>
    <message>
        <source>Copy head</source>
        <translation>Copiar cabecera</translation>
    </message>
    <message>
        <source>Copy the digest of the manifest</source>
        <translation>Copiar la huella del manifiesto</translation>
    </message>
    <message>
        <source>Copy the head</source>
        <translation>Copiar la cabecera</translation>
    </message>
    <message>
        <source>Copy the path</source>
        <translation>Copiar la ruta</translation>
    </message>
    <message>
        <source>Copy the public key</source>
        <translation>Copiar la clave pública</translation>
    </message>
    <message>
        <source>Digest</source>
        <translation>Huella</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>Cabecera</translation>
    </message>
    <message>
        <source>Keep head and digest somewhere else too, in a notebook or a ticket. By the head anyone can tell later that the record was not cut off, nor written anew; by the digest, that no file of the snapshot was, its report included.</source>
        <translation>Guarde cabecera y huella también en otro sitio, en un cuaderno o un tique. Por la cabecera cualquiera sabrá después que el registro no se recortó ni se rehízo; por la huella, que tampoco ningún archivo de la copia, incluido su informe.</translation>
    </message>
    <message>
        <source>Open report</source>
        <translation>Abrir informe</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Mostrar en la carpeta</translation>
    </message>
    <message>
        <source>Signed with</source>
        <translation>Firmada con</translation>
    </message>
    <message>
        <source>The snapshot is written.</source>
        <translation>La instantánea está escrita.</translation>
    </message>
    <message>
        <source>The store could not be written, so it keeps no note of this snapshot.</source>
        <translation>No se pudo escribir en el almacén, así que no guarda nota de esta instantánea.</translation>
    </message>
    <message>
        <source>Verify now</source>
        <translation>Verificar ahora</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Qué</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Dónde</translation>
    </message>
    <message>
        <source>{count} files, {size}</source>
        <translation>{count} archivos, {size}</translation>
    </message>
</context>
<context>
    <name>Doors</name>
    <message>
        <source>Opening {store}</source>
        <translation>Abriendo {store}</translation>
    </message>
</context>
<context>
    <name>EndFactDialog</name>
    <message>
        <source>End fact</source>
        <translation>Terminar hecho</translation>
    </message>
    <message>
        <source>End {attribute}</source>
        <translation>Terminar {attribute}</translation>
    </message>
    <message>
        <source>End {key}</source>
        <translation>Terminar {key}</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>Terminado</translation>
    </message>
</context>
<context>
    <name>EpisodeListModel</name>
    <message numerus="yes">
        <source>%n fact(s)</source>
        <translation>
            <numerusform>%n hecho</numerusform>
            <numerusform>%n hechos</numerusform>
        </translation>
    </message>
    <message>
        <source>(no text)</source>
        <translation>(sin texto)</translation>
    </message>
    <message>
        <source>not recorded yet then</source>
        <translation>aún sin registrar entonces</translation>
    </message>
</context>
<context>
    <name>EpisodePane</name>
    <message numerus="yes">
        <source>%n fact(s) born from it</source>
        <translation>
            <numerusform>%n hecho nacido de él</numerusform>
            <numerusform>%n hechos nacidos de él</numerusform>
        </translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>Agente</translation>
    </message>
    <message>
        <source>Close this pane</source>
        <translation>Cerrar esta columna</translation>
    </message>
    <message>
        <source>Copy the id of the episode</source>
        <translation>Copiar el id del episodio</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>Id</translation>
    </message>
    <message>
        <source>Keep this episode beside the next one</source>
        <translation>Mantener este episodio junto al siguiente</translation>
    </message>
    <message>
        <source>No fact rests on this episode, from where you look.</source>
        <translation>Ningún hecho se apoya en este episodio, desde donde se mira.</translation>
    </message>
    <message>
        <source>Occurred</source>
        <translation>Ocurrió</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>Registrado</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>Sesión</translation>
    </message>
    <message>
        <source>Show the record of the episode</source>
        <translation>Mostrar el registro del episodio</translation>
    </message>
    <message>
        <source>Show the text as it was written</source>
        <translation>Mostrar el texto como se escribió</translation>
    </message>
    <message>
        <source>tx {number}</source>
        <translation>tx {number}</translation>
    </message>
</context>
<context>
    <name>EpisodeSummary</name>
    <message numerus="yes">
        <source>%n fact(s) born from it</source>
        <translation>
            <numerusform>%n hecho nacido de él</numerusform>
            <numerusform>%n hechos nacidos de él</numerusform>
        </translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>Agente</translation>
    </message>
    <message>
        <source>Episode · {kind}</source>
        <translation>Episodio · {kind}</translation>
    </message>
    <message>
        <source>No fact rests on this episode.</source>
        <translation>Ningún hecho se apoya en este episodio.</translation>
    </message>
    <message>
        <source>Occurred</source>
        <translation>Ocurrió</translation>
    </message>
    <message>
        <source>Open the episode</source>
        <translation>Abrir el episodio</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>Registrado</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>Sesión</translation>
    </message>
</context>
<context>
    <name>EpisodeText</name>
    <message>
        <source>Evidence: {words}</source>
        <translation>Evidencia: {words}</translation>
    </message>
    <message>
        <source>Text of the episode</source>
        <translation>Texto del episodio</translation>
    </message>
    <message>
        <source>This episode has no text.</source>
        <translation>Este episodio no tiene texto.</translation>
    </message>
    <message>
        <source>picture</source>
        <translation>imagen</translation>
    </message>
    <message>
        <source>{number} characters after are not shown.</source>
        <translation>No se muestran {number} caracteres posteriores.</translation>
    </message>
    <message>
        <source>{number} characters before are not shown.</source>
        <translation>No se muestran {number} caracteres anteriores.</translation>
    </message>
</context>
<context>
    <name>EpisodesView</name>
    <message>
        <source>All kinds</source>
        <translation>Todas las clases</translation>
    </message>
    <message>
        <source>Choose an episode in the list, or a fact anywhere.</source>
        <translation>Elija un episodio en la lista, o un hecho en cualquier lugar.</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>Quitar el filtro</translation>
    </message>
    <message>
        <source>Episodes</source>
        <translation>Episodios</translation>
    </message>
    <message>
        <source>Import a memory, or let an agent capture its first episode.</source>
        <translation>Importe una memoria, o deje que un agente capture su primer episodio.</translation>
    </message>
    <message>
        <source>Import a table…</source>
        <translation>Importar una tabla…</translation>
    </message>
    <message>
        <source>Kind of episode</source>
        <translation>Clase de episodio</translation>
    </message>
    <message>
        <source>No episode fits the filter.</source>
        <translation>Ningún episodio coincide con el filtro.</translation>
    </message>
    <message>
        <source>Search the episodes</source>
        <translation>Buscar en los episodios</translation>
    </message>
    <message>
        <source>The source of what is selected is shown here.</source>
        <translation>Aquí se muestra la fuente de lo seleccionado.</translation>
    </message>
    <message>
        <source>What agents observed is listed here: messages, files, tool results.</source>
        <translation>Aquí se lista lo que observaron los agentes: mensajes, archivos, resultados de herramientas.</translation>
    </message>
</context>
<context>
    <name>FactColumns</name>
    <message>
        <source>= this | that</source>
        <translation>= esto | aquello</translation>
    </message>
    <message>
        <source>&gt; 0.8</source>
        <translation>&gt; 0.8</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>Agente</translation>
    </message>
    <message>
        <source>Attribute</source>
        <translation>Atributo</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>Confianza</translation>
    </message>
    <message>
        <source>Last confirmed</source>
        <translation>Última confirmación</translation>
    </message>
    <message>
        <source>Open: it holds until changed.</source>
        <translation>Abierto: es válido hasta que cambie.</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>Propietario</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>Registrado</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Fuente</translation>
    </message>
    <message>
        <source>Stated as “{words}”</source>
        <translation>Declarado como «{words}»</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Estado</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>Sujeto</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Tipo</translation>
    </message>
    <message>
        <source>Valid from</source>
        <translation>Válido desde</translation>
    </message>
    <message>
        <source>Valid to</source>
        <translation>Válido hasta</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Valor</translation>
    </message>
    <message>
        <source>contains …</source>
        <translation>contiene …</translation>
    </message>
    <message>
        <source>disputed</source>
        <translation>en disputa</translation>
    </message>
    <message>
        <source>from ~ to</source>
        <translation>desde ~ hasta</translation>
    </message>
    <message>
        <source>never</source>
        <translation>nunca</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>compartido</translation>
    </message>
    <message>
        <source>until changed</source>
        <translation>hasta que cambie</translation>
    </message>
    <message>
        <source>{subject} {attribute}: {value}, {status}</source>
        <translation>{subject} {attribute}: {value}, {status}</translation>
    </message>
</context>
<context>
    <name>FactDialog</name>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Close; nothing is written.</source>
        <translation>Cerrar; no se escribe nada.</translation>
    </message>
    <message>
        <source>Give a reason.</source>
        <translation>Dé un motivo.</translation>
    </message>
    <message>
        <source>It cannot be done so; nothing would be written.</source>
        <translation>Así no se puede hacer; no se escribiría nada.</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Motivo</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Fuente</translation>
    </message>
    <message>
        <source>There is nothing to write.</source>
        <translation>No hay nada que escribir.</translation>
    </message>
    <message>
        <source>What would follow is shown here once all is filled in.</source>
        <translation>Lo que resultaría se muestra aquí cuando todo esté relleno.</translation>
    </message>
    <message>
        <source>Why this is right</source>
        <translation>Por qué es lo correcto</translation>
    </message>
    <message>
        <source>Why, if you like</source>
        <translation>Por qué, si quiere</translation>
    </message>
</context>
<context>
    <name>FactPage</name>
    <message>
        <source>Beginning</source>
        <translation>Comienzo</translation>
    </message>
    <message>
        <source>Believed until</source>
        <translation>Creído hasta</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>Confianza</translation>
    </message>
    <message>
        <source>Copy the id of the fact</source>
        <translation>Copiar el id del hecho</translation>
    </message>
    <message>
        <source>Copy the value</source>
        <translation>Copiar el valor</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>Id</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>Propietario</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>Registrado</translation>
    </message>
    <message>
        <source>Retention</source>
        <translation>Conservación</translation>
    </message>
    <message numerus="yes">
        <source>Show %n more source(s)</source>
        <translation>
            <numerusform>Mostrar %n fuente más</numerusform>
            <numerusform>Mostrar %n fuentes más</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Show %n older version(s)</source>
        <translation>
            <numerusform>Mostrar %n versión anterior</numerusform>
            <numerusform>Mostrar %n versiones anteriores</numerusform>
        </translation>
    </message>
    <message>
        <source>Show all facts of this subject</source>
        <translation>Mostrar todos los hechos de este sujeto</translation>
    </message>
    <message>
        <source>Stated as</source>
        <translation>Declarado como</translation>
    </message>
    <message>
        <source>Stated end</source>
        <translation>Final declarado</translation>
    </message>
    <message>
        <source>Superseded by</source>
        <translation>Sustituido por</translation>
    </message>
    <message>
        <source>Supersedes</source>
        <translation>Sustituye a</translation>
    </message>
    <message>
        <source>Valid</source>
        <translation>Válido</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>Versiones</translation>
    </message>
    <message numerus="yes">
        <source>Why: %n source(s)</source>
        <translation>
            <numerusform>Por qué: %n fuente</numerusform>
            <numerusform>Por qué: %n fuentes</numerusform>
        </translation>
    </message>
    <message>
        <source>confirmed {when}</source>
        <translation>confirmado {when}</translation>
    </message>
    <message>
        <source>no longer believed</source>
        <translation>ya no se cree</translation>
    </message>
    <message>
        <source>not confirmed</source>
        <translation>sin confirmar</translation>
    </message>
    <message>
        <source>one of several values</source>
        <translation>uno de varios valores</translation>
    </message>
    <message>
        <source>schema v{version}</source>
        <translation>esquema v{version}</translation>
    </message>
    <message>
        <source>shared by all agents</source>
        <translation>compartido por todos los agentes</translation>
    </message>
    <message>
        <source>since {instant}</source>
        <translation>desde {instant}</translation>
    </message>
    <message>
        <source>until changed</source>
        <translation>hasta que cambie</translation>
    </message>
    <message>
        <source>until {day}</source>
        <translation>hasta {day}</translation>
    </message>
</context>
<context>
    <name>FactQuestion</name>
    <message>
        <source>The status is one of {words}, or &lt;&gt; {disputed}: not “{typed}”.</source>
        <translation>El estado es uno de {words}, o &lt;&gt; {disputed}: no «{typed}».</translation>
    </message>
    <message>
        <source>This column cannot be filtered.</source>
        <translation>Esta columna no se puede filtrar.</translation>
    </message>
    <message>
        <source>Type what to compare with after {sign}.</source>
        <translation>Escriba tras {sign} con qué comparar.</translation>
    </message>
</context>
<context>
    <name>FactTable</name>
    <message>
        <source>The table is neither sorted nor filtered by this column.</source>
        <translation>La tabla no se ordena ni se filtra por esta columna.</translation>
    </message>
    <message>
        <source>The table is not sorted by this column.</source>
        <translation>La tabla no se ordena por esta columna.</translation>
    </message>
    <message>
        <source>being read</source>
        <translation>leyendo</translation>
    </message>
</context>
<context>
    <name>FactsBar</name>
    <message>
        <source>All intervals</source>
        <translation>Todos los intervalos</translation>
    </message>
    <message>
        <source>Choose columns, and by which to sort</source>
        <translation>Elegir columnas, y por cuál ordenar</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Columnas</translation>
    </message>
    <message>
        <source>Current only</source>
        <translation>Solo actuales</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filtrar</translation>
    </message>
    <message>
        <source>Show past and future intervals too</source>
        <translation>Mostrar también intervalos pasados y futuros</translation>
    </message>
    <message>
        <source>Show what holds at the instant from which you look</source>
        <translation>Mostrar lo válido en el instante desde el que se mira</translation>
    </message>
    <message>
        <source>Take the filter away: {caption} {value}</source>
        <translation>Quitar el filtro: {caption} {value}</translation>
    </message>
    <message>
        <source>Take this filter away</source>
        <translation>Quitar este filtro</translation>
    </message>
    <message>
        <source>Type under the titles what a column should say</source>
        <translation>Escriba bajo los títulos lo que debe decir una columna</translation>
    </message>
</context>
<context>
    <name>FactsPresenter</name>
    <message>
        <source>Attribute</source>
        <translation>Atributo</translation>
    </message>
    <message>
        <source>Copy rows</source>
        <translation>Copiar filas</translation>
    </message>
    <message>
        <source>Read facts</source>
        <translation>Leer hechos</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Buscar</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Estado</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>Sujeto</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Tipo</translation>
    </message>
    <message>
        <source>at least {rows}</source>
        <translation>al menos {rows}</translation>
    </message>
    <message>
        <source>disputed</source>
        <translation>en disputa</translation>
    </message>
    <message>
        <source>not disputed</source>
        <translation>sin disputa</translation>
    </message>
    <message numerus="yes">
        <source>{count} fact(s)</source>
        <translation>
            <numerusform>{count} hecho</numerusform>
            <numerusform>{count} hechos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} interval(s)</source>
        <translation>
            <numerusform>{count} intervalo</numerusform>
            <numerusform>{count} intervalos</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FactsView</name>
    <message>
        <source>Add a fact…</source>
        <translation>Añadir un hecho…</translation>
    </message>
    <message>
        <source>Add a first fact, or import a store from the menu.</source>
        <translation>Añada un primer hecho, o importe una memoria desde el menú.</translation>
    </message>
    <message>
        <source>Change what is typed under the headers, or clear all filters.</source>
        <translation>Cambie lo escrito bajo los encabezados, o quite todos los filtros.</translation>
    </message>
    <message>
        <source>Clear all filters</source>
        <translation>Quitar todos los filtros</translation>
    </message>
    <message>
        <source>Facts</source>
        <translation>Hechos</translation>
    </message>
    <message>
        <source>Facts appear here, one on each row, with when they hold and why.</source>
        <translation>Aquí aparecen los hechos, uno por fila, con cuándo son válidos y por qué.</translation>
    </message>
    <message>
        <source>Last first</source>
        <translation>Los últimos primero</translation>
    </message>
    <message>
        <source>Look from another instant, or show all intervals.</source>
        <translation>Mire desde otro instante, o muestre todos los intervalos.</translation>
    </message>
    <message>
        <source>No fact fits the filter.</source>
        <translation>Ningún hecho coincide con el filtro.</translation>
    </message>
    <message>
        <source>Nothing held at this instant, as far as was known then.</source>
        <translation>Nada era válido en este instante, según lo que se sabía entonces.</translation>
    </message>
    <message>
        <source>Sort by</source>
        <translation>Ordenar por</translation>
    </message>
</context>
<context>
    <name>FilterHeader</name>
    <message>
        <source>Filter {column}</source>
        <translation>Filtrar {column}</translation>
    </message>
    <message>
        <source>Type a part of the text, or = or &lt;&gt; for exactly this or not this, &lt; or &gt; for less or more, a~b for from a to b, /…/ for a regular expression, and = alone for empty.</source>
        <translation>Escriba una parte del texto, o = o &lt;&gt; para exactamente esto o no esto, &lt; o &gt; para menos o más, a~b para de a hasta b, /…/ para una expresión regular, y = solo para vacío.</translation>
    </message>
</context>
<context>
    <name>FindingsModel</name>
    <message>
        <source>What is wrong</source>
        <translation>Qué está mal</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Dónde</translation>
    </message>
</context>
<context>
    <name>FirstWrong</name>
    <message>
        <source>Check</source>
        <translation>Prueba</translation>
    </message>
    <message>
        <source>Copy what is wrong</source>
        <translation>Copiar lo que está mal</translation>
    </message>
    <message>
        <source>The first thing that is wrong</source>
        <translation>Lo primero que está mal</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Dónde</translation>
    </message>
    <message numerus="yes">
        <source>and %n more of this kind</source>
        <translation>
            <numerusform>y %n más de esta clase</numerusform>
            <numerusform>y %n más de esta clase</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>History</name>
    <message>
        <source>Redo: {label}</source>
        <translation>Rehacer: {label}</translation>
    </message>
    <message>
        <source>Undo: {label}</source>
        <translation>Deshacer: {label}</translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message>
        <source>Back</source>
        <translation>Atrás</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>Copiar informe</translation>
    </message>
    <message>
        <source>If a row is wrong</source>
        <translation>Si una fila es errónea</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importar</translation>
    </message>
    <message>
        <source>Import ZeroClaw memory</source>
        <translation>Importar memoria de ZeroClaw</translation>
    </message>
    <message>
        <source>Import a table</source>
        <translation>Importar una tabla</translation>
    </message>
    <message>
        <source>Import nothing, and say what is wrong</source>
        <translation>No importar nada, y decir qué está mal</translation>
    </message>
    <message>
        <source>Importing</source>
        <translation>Importando</translation>
    </message>
    <message>
        <source>Importing {source}</source>
        <translation>Importando {source}</translation>
    </message>
    <message>
        <source>Into</source>
        <translation>Destino</translation>
    </message>
    <message>
        <source>Leave it out, and import the rest</source>
        <translation>Dejarla fuera, e importar el resto</translation>
    </message>
    <message>
        <source>Look at {tenant}</source>
        <translation>Mirar {tenant}</translation>
    </message>
    <message>
        <source>Name the tenant, in up to 255 characters.</source>
        <translation>Nombre el inquilino, con 255 caracteres como máximo.</translation>
    </message>
    <message>
        <source>New; the import makes it.</source>
        <translation>Nuevo; lo crea la importación.</translation>
    </message>
    <message>
        <source>Open {store}</source>
        <translation>Abrir {store}</translation>
    </message>
    <message>
        <source>Reading; nothing is written.</source>
        <translation>Leyendo; no se escribe nada.</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Restaurar</translation>
    </message>
    <message>
        <source>Restore a snapshot</source>
        <translation>Restaurar una instantánea</translation>
    </message>
    <message>
        <source>Restoring a snapshot</source>
        <translation>Restaurando una instantánea</translation>
    </message>
    <message>
        <source>Restoring {source}</source>
        <translation>Restaurando {source}</translation>
    </message>
    <message>
        <source>Show what an import would do, and write nothing</source>
        <translation>Mostrar qué haría la importación, sin escribir nada</translation>
    </message>
    <message>
        <source>Store</source>
        <translation>Almacén</translation>
    </message>
    <message>
        <source>Tenant</source>
        <translation>Inquilino</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>Probar</translation>
    </message>
    <message>
        <source>Trying</source>
        <translation>Probando</translation>
    </message>
</context>
<context>
    <name>ImportFields</name>
    <message>
        <source>Agent</source>
        <translation>Agente</translation>
    </message>
    <message>
        <source>Attribute</source>
        <translation>Atributo</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>Confianza</translation>
    </message>
    <message>
        <source>JSON Lines.</source>
        <translation>JSON Lines.</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>Propietario</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Fuente</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>Sujeto</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Tipo</translation>
    </message>
    <message>
        <source>Valid from</source>
        <translation>Válido desde</translation>
    </message>
    <message>
        <source>Valid to</source>
        <translation>Válido hasta</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Valor</translation>
    </message>
    <message>
        <source>Values separated by bars.</source>
        <translation>Valores separados por barras.</translation>
    </message>
    <message>
        <source>Values separated by commas.</source>
        <translation>Valores separados por comas.</translation>
    </message>
    <message>
        <source>Values separated by semicolons.</source>
        <translation>Valores separados por punto y coma.</translation>
    </message>
    <message>
        <source>Values separated by tabs.</source>
        <translation>Valores separados por tabuladores.</translation>
    </message>
</context>
<context>
    <name>ImportPreview</name>
    <message>
        <source>There is no file {file}.</source>
        <extracomment>Names of columns that say by themselves which field they are, without signs and capitals.</extracomment>
        <translation>No existe el archivo {file}.</translation>
    </message>
    <message>
        <source>{file} cannot be read: {reason}.</source>
        <translation>No se puede leer {file}: {reason}.</translation>
    </message>
</context>
<context>
    <name>ImportReport</name>
    <message>
        <source>Keys whose assertions alone would not read the same, such as those with a fact that was ended: {count}; the ends of their facts were taken for stated ones.</source>
        <translation>Claves cuyas afirmaciones solas no se leerían igual, como las de un hecho que se dio por terminado: {count}; los finales de sus hechos se tomaron por declarados.</translation>
    </message>
    <message>
        <source>The facts have new ids; who wrote them before is in the snapshot.</source>
        <translation>Los hechos tienen identificadores nuevos; quién los escribió antes está en la instantánea.</translation>
    </message>
    <message>
        <source>as one with a fact of the same value that it touches</source>
        <extracomment>How a fact reads that a snapshot has otherwise.</extracomment>
        <translation>como uno solo con un hecho del mismo valor contiguo</translation>
    </message>
    <message>
        <source>as several facts, each with the sources of what was said in it</source>
        <translation>como varios hechos, cada uno con las fuentes de lo que se dijo en él</translation>
    </message>
    <message>
        <source>autosaved conversation</source>
        <translation>conversación guardada automáticamente</translation>
    </message>
    <message>
        <source>lines inserted between two that follow each other closely</source>
        <translation>líneas insertadas entre dos que se siguen muy de cerca</translation>
    </message>
    <message>
        <source>lines without a key</source>
        <translation>líneas sin clave</translation>
    </message>
    <message>
        <source>once, where several slots say its value at one time</source>
        <translation>una vez, donde varias ranuras dicen su valor al mismo tiempo</translation>
    </message>
    <message>
        <source>probes of ZeroClaw&apos;s self-test</source>
        <translation>sondas de la autoprueba de ZeroClaw</translation>
    </message>
    <message>
        <source>rows whose beginning is unknown</source>
        <extracomment>The importers&apos; reasons why a row has no fact.</extracomment>
        <translation>filas cuyo comienzo se desconoce</translation>
    </message>
    <message>
        <source>rows without a value</source>
        <translation>filas sin valor</translation>
    </message>
    <message>
        <source>tenant {tenant} has a record already.</source>
        <translation>el inquilino {tenant} ya tiene un registro.</translation>
    </message>
    <message>
        <source>the snapshot is filtered and has only a part of the record.</source>
        <extracomment>Why a snapshot was not restored whole, and what importers note, as they write it.</extracomment>
        <translation>la instantánea está filtrada y solo tiene una parte del registro.</translation>
    </message>
    <message>
        <source>the store holds this record already, as tenant {tenant}, and an id names one.</source>
        <translation>el almacén ya tiene este registro, como inquilino {tenant}, y un identificador nombra a uno solo.</translation>
    </message>
    <message>
        <source>{file}, line {line}</source>
        <translation>{file}, línea {line}</translation>
    </message>
    <message>
        <source>{file}, row {row}</source>
        <translation>{file}, fila {row}</translation>
    </message>
</context>
<context>
    <name>InspectorView</name>
    <message>
        <source>Click a bar on the timeline, a row of a table or a subject to see its record, its sources and all its versions.</source>
        <translation>Pulse una barra de la línea de tiempo, una fila de una tabla o un sujeto para ver su registro, sus fuentes y todas sus versiones.</translation>
    </message>
    <message>
        <source>It is not there from where you look.</source>
        <translation>No está ahí desde donde se mira.</translation>
    </message>
    <message>
        <source>Look from now</source>
        <translation>Mirar desde ahora</translation>
    </message>
    <message>
        <source>Open a store first; the demo shows in two minutes what there is.</source>
        <translation>Abra primero un almacén; la demostración enseña en dos minutos lo que hay.</translation>
    </message>
    <message>
        <source>Open the demo store</source>
        <translation>Abrir la demostración</translation>
    </message>
    <message>
        <source>The ledger no longer holds this fact; there is nothing to act on.</source>
        <translation>El libro ya no guarda este hecho; no hay nada sobre lo que actuar.</translation>
    </message>
    <message>
        <source>This store is open for reading.</source>
        <translation>Este almacén está abierto para lectura.</translation>
    </message>
    <message>
        <source>What is selected</source>
        <translation>Lo seleccionado</translation>
    </message>
    <message>
        <source>What you select is explained here.</source>
        <translation>Aquí se explica lo que seleccione.</translation>
    </message>
    <message>
        <source>You look from another time; what you do applies to the record as it is now.</source>
        <translation>Está mirando desde otro tiempo; lo que haga se aplica al registro como es ahora.</translation>
    </message>
</context>
<context>
    <name>InstantEdit</name>
    <message>
        <source>A date or a time such as {example}; empty means {empty}.</source>
        <translation>Una fecha o una hora como {example}; vacío significa {empty}.</translation>
    </message>
    <message>
        <source>Pick a day</source>
        <translation>Elegir un día</translation>
    </message>
    <message>
        <source>Pick a day: {name}</source>
        <translation>Elegir un día: {name}</translation>
    </message>
    <message>
        <source>now</source>
        <translation>ahora</translation>
    </message>
</context>
<context>
    <name>JournalModel</name>
    <message>
        <source>About</source>
        <translation>Sobre</translation>
    </message>
    <message>
        <source>It was not recorded yet at the time from which you look.</source>
        <translation>Aún no estaba registrado en el tiempo desde el que se mira.</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>Núm.</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>Registrado</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Qué</translation>
    </message>
    <message>
        <source>Who</source>
        <translation>Quién</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Por qué</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>y %n más</numerusform>
            <numerusform>y %n más</numerusform>
        </translation>
    </message>
    <message>
        <source>not recorded yet then</source>
        <translation>aún sin registrar entonces</translation>
    </message>
    <message>
        <source>transaction {number}</source>
        <translation>transacción {number}</translation>
    </message>
    <message>
        <source>{actor}, with {tool}</source>
        <translation>{actor}, con {tool}</translation>
    </message>
</context>
<context>
    <name>JournalPresenter</name>
    <message>
        <source>Check the store</source>
        <translation>Comprobar el almacén</translation>
    </message>
    <message>
        <source>Revert transaction {number}</source>
        <translation>Revertir la transacción {number}</translation>
    </message>
</context>
<context>
    <name>JournalView</name>
    <message>
        <source>All kinds</source>
        <translation>Todas las clases</translation>
    </message>
    <message>
        <source>Before and after, its rows and sources, and the way to take it back.</source>
        <translation>El antes y el después, sus filas y fuentes, y la forma de anularla.</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>Quitar el filtro</translation>
    </message>
    <message>
        <source>Every write is listed here, with who wrote it and why.</source>
        <translation>Aquí se lista cada escritura, con quién la hizo y por qué.</translation>
    </message>
    <message>
        <source>Kind of transaction</source>
        <translation>Clase de transacción</translation>
    </message>
    <message>
        <source>List only what was written about the subject that is filtered or selected</source>
        <translation>Listar solo lo escrito sobre el sujeto filtrado o seleccionado</translation>
    </message>
    <message>
        <source>No transaction fits the filter.</source>
        <translation>Ninguna transacción coincide con el filtro.</translation>
    </message>
    <message>
        <source>Nothing has been written yet.</source>
        <translation>Aún no se ha escrito nada.</translation>
    </message>
    <message>
        <source>Only {subject}</source>
        <translation>Solo {subject}</translation>
    </message>
    <message>
        <source>Search the journal</source>
        <translation>Buscar en el diario</translation>
    </message>
    <message>
        <source>The transaction that you choose is shown here.</source>
        <translation>Aquí se muestra la transacción que elija.</translation>
    </message>
    <message>
        <source>Transactions</source>
        <translation>Transacciones</translation>
    </message>
    <message>
        <source>subject</source>
        <translation>sujeto</translation>
    </message>
</context>
<context>
    <name>LaneCanvas</name>
    <message>
        <source>As known at {0} UTC</source>
        <translation>Según lo conocido en {0} UTC</translation>
    </message>
    <message>
        <source>Facts as bars over valid time; arrow keys move between lanes and bars.</source>
        <translation>Hechos como barras sobre el tiempo de validez; las flechas mueven entre carriles y barras.</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Línea de tiempo</translation>
    </message>
    <message>
        <source>{0} (UTC)</source>
        <translation>{0} (UTC)</translation>
    </message>
</context>
<context>
    <name>LaneHeaders</name>
    <message numerus="yes">
        <source>%n open conflict(s)</source>
        <translation>
            <numerusform>%n conflicto abierto</numerusform>
            <numerusform>%n conflictos abiertos</numerusform>
        </translation>
    </message>
    <message>
        <source>Being read.</source>
        <translation>Leyendo.</translation>
    </message>
    <message>
        <source>Subjects and attributes</source>
        <translation>Sujetos y atributos</translation>
    </message>
</context>
<context>
    <name>LaneStrip</name>
    <message>
        <source>Lanes</source>
        <translation>Carriles</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nada</translation>
    </message>
</context>
<context>
    <name>Lanes</name>
    <message>
        <source>assumed start</source>
        <translation>comienzo supuesto</translation>
    </message>
    <message>
        <source>believed then</source>
        <translation>creído entonces</translation>
    </message>
    <message>
        <source>confirmed</source>
        <translation>confirmado</translation>
    </message>
    <message>
        <source>disputed</source>
        <translation>en disputa</translation>
    </message>
    <message>
        <source>imprecise start</source>
        <translation>comienzo impreciso</translation>
    </message>
    <message>
        <source>in the future</source>
        <translation>en el futuro</translation>
    </message>
    <message>
        <source>said again</source>
        <translation>dicho de nuevo</translation>
    </message>
    <message>
        <source>since {0}</source>
        <translation>desde {0}</translation>
    </message>
    <message>
        <source>{0} to {1}</source>
        <translation>{0} a {1}</translation>
    </message>
</context>
<context>
    <name>LogLines</name>
    <message>
        <source>Level</source>
        <translation>Nivel</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Mensaje</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Parte</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Hora</translation>
    </message>
    <message>
        <source>detail</source>
        <translation>detalle</translation>
    </message>
    <message>
        <source>error</source>
        <translation>error</translation>
    </message>
    <message>
        <source>failure</source>
        <translation>fallo</translation>
    </message>
    <message>
        <source>note</source>
        <translation>nota</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>aviso</translation>
    </message>
</context>
<context>
    <name>LogView</name>
    <message>
        <source>Choose another level or other words.</source>
        <translation>Elija otro nivel u otras palabras.</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copiar</translation>
    </message>
    <message>
        <source>Copy the selected lines, or all that are shown</source>
        <translation>Copiar las líneas seleccionadas, o todas las que se muestran</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>Todo</translation>
    </message>
    <message>
        <source>Filter lines</source>
        <translation>Filtrar líneas</translation>
    </message>
    <message>
        <source>Follow the end</source>
        <translation>Seguir el final</translation>
    </message>
    <message>
        <source>Least level</source>
        <translation>Nivel mínimo</translation>
    </message>
    <message>
        <source>Log lines</source>
        <translation>Líneas de la bitácora</translation>
    </message>
    <message>
        <source>No line fits.</source>
        <translation>Ninguna línea coincide.</translation>
    </message>
    <message>
        <source>Scroll to new lines as they come</source>
        <translation>Desplazar a las líneas nuevas según llegan</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Seleccionar todo</translation>
    </message>
    <message>
        <source>The entire line</source>
        <translation>La línea entera</translation>
    </message>
    <message>
        <source>What the program notes about its own work appears here.</source>
        <translation>Aquí aparece lo que el programa anota sobre su propio trabajo.</translation>
    </message>
    <message>
        <source>{level} and worse</source>
        <translation>{level} y peor</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message numerus="yes">
        <source>%n conflict(s)</source>
        <translation>
            <numerusform>%n conflicto</numerusform>
            <numerusform>%n conflictos</numerusform>
        </translation>
    </message>
    <message>
        <source>A link to this view is in the clipboard.</source>
        <translation>El enlace a esta vista está en el portapapeles.</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Todos los archivos (*)</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>Hecho</translation>
    </message>
    <message>
        <source>Go to a subject or attribute</source>
        <translation>Ir a un sujeto o atributo</translation>
    </message>
    <message>
        <source>Look at what agents remember</source>
        <translation>Mire lo que recuerdan los agentes</translation>
    </message>
    <message>
        <source>Memory Workbench</source>
        <translation>Memory Workbench</translation>
    </message>
    <message>
        <source>Memory stores (*.db *.sqlite)</source>
        <translation>Almacenes de memoria (*.db *.sqlite)</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Más</translation>
    </message>
    <message>
        <source>New store</source>
        <translation>Almacén nuevo</translation>
    </message>
    <message>
        <source>New store…</source>
        <translation>Almacén nuevo…</translation>
    </message>
    <message>
        <source>No store</source>
        <translation>Sin almacén</translation>
    </message>
    <message>
        <source>Open a store, make a new one, or see the demo first.</source>
        <translation>Abra un almacén, cree uno nuevo, o vea primero la demostración.</translation>
    </message>
    <message>
        <source>Open store</source>
        <translation>Abrir almacén</translation>
    </message>
    <message>
        <source>Open the demo store</source>
        <translation>Abrir la demostración</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Abrir…</translation>
    </message>
    <message>
        <source>Point of view</source>
        <translation>Punto de vista</translation>
    </message>
    <message>
        <source>Redone: {label}</source>
        <translation>Rehecho: {label}</translation>
    </message>
    <message>
        <source>Scope</source>
        <translation>Ámbito</translation>
    </message>
    <message>
        <source>Search facts and episodes</source>
        <translation>Buscar hechos y episodios</translation>
    </message>
    <message>
        <source>Snapshot</source>
        <translation>Instantánea</translation>
    </message>
    <message>
        <source>Snapshot: {title}</source>
        <translation>Instantánea: {title}</translation>
    </message>
    <message>
        <source>Snapshots (*.zip manifest.json)</source>
        <translation>Instantáneas (*.zip manifest.json)</translation>
    </message>
    <message>
        <source>Tenant</source>
        <translation>Inquilino</translation>
    </message>
    <message>
        <source>The report is in the clipboard. Look through it first.</source>
        <translation>El informe está en el portapapeles. Revíselo antes de enviarlo.</translation>
    </message>
    <message>
        <source>Undone: {label}</source>
        <translation>Deshecho: {label}</translation>
    </message>
</context>
<context>
    <name>MergeInputs</name>
    <message>
        <source>Begin with the incoming value</source>
        <translation>Empezar con el valor entrante</translation>
    </message>
    <message>
        <source>Begin with the standing value</source>
        <translation>Empezar con el valor vigente</translation>
    </message>
    <message>
        <source>The value that is true</source>
        <translation>El valor verdadero</translation>
    </message>
</context>
<context>
    <name>Messages</name>
    <message>
        <source>A new key is in {path}. Keep it to yourself; its public half may be given to anyone.</source>
        <translation>Hay una clave nueva en {path}. Guárdela para usted; su mitad pública se puede dar a cualquiera.</translation>
    </message>
    <message>
        <source>Another name…</source>
        <translation>Otro nombre…</translation>
    </message>
    <message>
        <source>Caution</source>
        <translation>Atención</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Listo</translation>
    </message>
    <message>
        <source>It was not written. {reason}</source>
        <translation>No se escribió. {reason}</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Mirar de nuevo</translation>
    </message>
    <message>
        <source>New store…</source>
        <translation>Almacén nuevo…</translation>
    </message>
    <message>
        <source>Not settled, and still waiting: {keys}. {reason}</source>
        <translation>Sin resolver, y aún en espera: {keys}. {reason}</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Nota</translation>
    </message>
    <message>
        <source>Open another…</source>
        <translation>Abrir otro…</translation>
    </message>
    <message>
        <source>Open report</source>
        <translation>Abrir informe</translation>
    </message>
    <message>
        <source>Open to read</source>
        <translation>Abrir para lectura</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problema</translation>
    </message>
    <message>
        <source>Recorded for {count} conflicts; undo takes back one at a time.</source>
        <translation>Registrado para {count} conflictos; deshacer los anula de uno en uno.</translation>
    </message>
    <message>
        <source>Recorded for {key}: {outcome}.</source>
        <translation>Registrado para {key}: {outcome}.</translation>
    </message>
    <message>
        <source>See the checks…</source>
        <translation>Ver las pruebas…</translation>
    </message>
    <message>
        <source>Stop waiting</source>
        <translation>Dejar de esperar</translation>
    </message>
    <message>
        <source>Stopped on request; it says nothing about the snapshot.</source>
        <translation>Detenido a petición; no dice nada de la instantánea.</translation>
    </message>
    <message>
        <source>Stopped on request; nothing was left behind.</source>
        <translation>Detenido a petición; no quedó nada.</translation>
    </message>
    <message>
        <source>Stopped on request; nothing was written.</source>
        <translation>Detenido a petición; no se escribió nada.</translation>
    </message>
    <message>
        <source>The check found something wrong, {count} in all. The first: {sentence}</source>
        <translation>La comprobación encontró algo mal, {count} en total. Lo primero: {sentence}</translation>
    </message>
    <message>
        <source>The check was stopped; it says nothing about the store.</source>
        <translation>La comprobación se detuvo; no dice nada del almacén.</translation>
    </message>
    <message>
        <source>The conflict could not be read. {reason}</source>
        <translation>No se pudo leer el conflicto. {reason}</translation>
    </message>
    <message>
        <source>The conflicts could not be read. {reason}</source>
        <translation>No se pudieron leer los conflictos. {reason}</translation>
    </message>
    <message>
        <source>The decision was not recorded. {reason}</source>
        <translation>La decisión no se registró. {reason}</translation>
    </message>
    <message>
        <source>The episode could not be read. {reason}</source>
        <translation>No se pudo leer el episodio. {reason}</translation>
    </message>
    <message>
        <source>The fact was written to while you looked at it. Nothing was written by you.</source>
        <translation>Se escribió en el hecho mientras lo miraba. Usted no escribió nada.</translation>
    </message>
    <message>
        <source>The facts could not be read. {reason}</source>
        <translation>No se pudieron leer los hechos. {reason}</translation>
    </message>
    <message>
        <source>The filter under “{column}” is left out. {reason}</source>
        <translation>El filtro bajo «{column}» no se aplica. {reason}</translation>
    </message>
    <message>
        <source>The first {count} of {total} selected rows were copied.</source>
        <translation>Se copiaron las primeras {count} de {total} filas seleccionadas.</translation>
    </message>
    <message>
        <source>The journal could not be read. {reason}</source>
        <translation>No se pudo leer el diario. {reason}</translation>
    </message>
    <message>
        <source>The list of episodes could not be read. {reason}</source>
        <translation>No se pudo leer la lista de episodios. {reason}</translation>
    </message>
    <message>
        <source>The oldest {count} are sorted; narrow the list to see others.</source>
        <translation>Se ordenan los {count} más antiguos; acote la lista para ver otros.</translation>
    </message>
    <message>
        <source>The record no longer holds this fact; nothing can be done.</source>
        <translation>El registro ya no guarda este hecho; no se puede hacer nada.</translation>
    </message>
    <message>
        <source>The rows could not be copied. {reason}</source>
        <translation>No se pudieron copiar las filas. {reason}</translation>
    </message>
    <message>
        <source>The store could not be checked. {reason}</source>
        <translation>No se pudo comprobar el almacén. {reason}</translation>
    </message>
    <message>
        <source>The store has no tenant “{tenant}” yet; its first fact or import begins it.</source>
        <translation>El almacén aún no tiene un inquilino «{tenant}»; empieza con su primer hecho o su primera importación.</translation>
    </message>
    <message>
        <source>The store is open for reading; nothing can be decided here.</source>
        <translation>El almacén está abierto para lectura; aquí no se puede decidir nada.</translation>
    </message>
    <message>
        <source>The store was not opened.</source>
        <translation>El almacén no se abrió.</translation>
    </message>
    <message>
        <source>The subjects could not be read. {reason}</source>
        <translation>No se pudieron leer los sujetos. {reason}</translation>
    </message>
    <message>
        <source>The timeline could not be read. {reason}</source>
        <translation>No se pudo leer la línea de tiempo. {reason}</translation>
    </message>
    <message>
        <source>The transaction could not be read. {reason}</source>
        <translation>No se pudo leer la transacción. {reason}</translation>
    </message>
    <message>
        <source>This changed while you looked at it: {what} Nothing was written.</source>
        <translation>Esto cambió mientras lo miraba: {what} No se escribió nada.</translation>
    </message>
    <message>
        <source>Transaction {number} was reverted by transaction {by}.</source>
        <translation>La transacción {number} fue revertida por la transacción {by}.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Reintentar</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Deshacer</translation>
    </message>
    <message>
        <source>What is selected could not be read. {reason}</source>
        <translation>No se pudo leer lo seleccionado. {reason}</translation>
    </message>
    <message>
        <source>You look from another instant; conflicts are shown as of now.</source>
        <translation>Está mirando desde otro instante; los conflictos se muestran a fecha de ahora.</translation>
    </message>
    <message>
        <source>You look from another instant; the lanes and the decision are as of now.</source>
        <translation>Está mirando desde otro instante; los carriles y la decisión son a fecha de ahora.</translation>
    </message>
    <message>
        <source>You look from another instant; what you write is written now.</source>
        <translation>Está mirando desde otro instante; lo que escriba se escribe ahora.</translation>
    </message>
    <message>
        <source>{store} is locked by another program that is writing. It opens as soon as it is free.</source>
        <translation>Otro programa que está escribiendo tiene bloqueado {store}. Se abrirá en cuanto quede libre.</translation>
    </message>
</context>
<context>
    <name>Minimap</name>
    <message>
        <source>Time in view</source>
        <translation>Tiempo a la vista</translation>
    </message>
</context>
<context>
    <name>MoveInputs</name>
    <message>
        <source>Begins</source>
        <translation>Empieza</translation>
    </message>
    <message>
        <source>Ends</source>
        <translation>Termina</translation>
    </message>
    <message>
        <source>Incoming</source>
        <translation>Entrante</translation>
    </message>
    <message>
        <source>Standing</source>
        <translation>Vigente</translation>
    </message>
    <message>
        <source>as it is</source>
        <translation>como está</translation>
    </message>
    <message>
        <source>until changed</source>
        <translation>hasta que cambie</translation>
    </message>
</context>
<context>
    <name>NavigatorPresenter</name>
    <message>
        <source>Conflicts</source>
        <translation>Conflictos</translation>
    </message>
    <message>
        <source>Read subjects</source>
        <translation>Leer sujetos</translation>
    </message>
    <message numerus="yes">
        <source>{count} fact(s)</source>
        <translation>
            <numerusform>{count} hecho</numerusform>
            <numerusform>{count} hechos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} lane(s)</source>
        <translation>
            <numerusform>{count} carril</numerusform>
            <numerusform>{count} carriles</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} open conflict(s)</source>
        <translation>
            <numerusform>{count} conflicto abierto</numerusform>
            <numerusform>{count} conflictos abiertos</numerusform>
        </translation>
    </message>
    <message>
        <source>{shown} of {all}</source>
        <translation>{shown} de {all}</translation>
    </message>
</context>
<context>
    <name>NavigatorView</name>
    <message>
        <source>Attributes</source>
        <translation>Atributos</translation>
    </message>
    <message>
        <source>Filter subjects</source>
        <translation>Filtrar sujetos</translation>
    </message>
    <message>
        <source>Inbox</source>
        <translation>Pendientes</translation>
    </message>
    <message>
        <source>No subject fits the filter.</source>
        <translation>Ningún sujeto coincide con el filtro.</translation>
    </message>
    <message>
        <source>No subject has these letters.</source>
        <translation>Ningún sujeto tiene estas letras.</translation>
    </message>
    <message>
        <source>Show all attributes again</source>
        <translation>Mostrar otra vez todos los atributos</translation>
    </message>
    <message>
        <source>Show all subjects again</source>
        <translation>Mostrar otra vez todos los sujetos</translation>
    </message>
    <message>
        <source>Show all types again</source>
        <translation>Mostrar otra vez todos los tipos</translation>
    </message>
    <message>
        <source>Subjects</source>
        <translation>Sujetos</translation>
    </message>
    <message>
        <source>Subjects appear here with their first fact: people, accounts, tasks.</source>
        <translation>Aquí aparecen los sujetos con su primer hecho: personas, cuentas, tareas.</translation>
    </message>
    <message>
        <source>Types</source>
        <translation>Tipos</translation>
    </message>
</context>
<context>
    <name>NewTenantDialog</name>
    <message>
        <source>&amp;Name of the first tenant in {store}</source>
        <translation>&amp;Nombre del primer inquilino de {store}</translation>
    </message>
    <message>
        <source>&amp;Name of the tenant</source>
        <translation>&amp;Nombre del inquilino</translation>
    </message>
    <message>
        <source>A name has at most {most} characters.</source>
        <translation>Un nombre tiene como máximo {most} caracteres.</translation>
    </message>
    <message>
        <source>A name may not have control characters, such as a line break.</source>
        <translation>Un nombre no puede tener caracteres de control, como un salto de línea.</translation>
    </message>
    <message>
        <source>Begin</source>
        <translation>Empezar</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Give it a name.</source>
        <translation>Póngale un nombre.</translation>
    </message>
    <message>
        <source>Make the store</source>
        <translation>Crear el almacén</translation>
    </message>
    <message>
        <source>Name of the tenant</source>
        <translation>Nombre del inquilino</translation>
    </message>
    <message>
        <source>New store</source>
        <translation>Nuevo almacén</translation>
    </message>
    <message>
        <source>New tenant</source>
        <translation>Nuevo inquilino</translation>
    </message>
    <message>
        <source>The store has a tenant of that name already.</source>
        <translation>El almacén ya tiene un inquilino con ese nombre.</translation>
    </message>
    <message>
        <source>Whose memory it is: a customer, a team, a deployment. Tenants of a store never see each other&apos;s facts.</source>
        <translation>De quién es la memoria: un cliente, un equipo, una instalación. Los inquilinos de un almacén nunca ven los hechos de los demás.</translation>
    </message>
</context>
<context>
    <name>OthersList</name>
    <message>
        <source>Finding out what would follow for the others…</source>
        <translation>Averiguando qué resultaría para los otros…</translation>
    </message>
    <message numerus="yes">
        <source>For %n more conflict(s) with this pair of sources would follow:</source>
        <translation>
            <numerusform>Para %n conflicto más con este par de fuentes resultaría:</numerusform>
            <numerusform>Para %n conflictos más con este par de fuentes resultaría:</numerusform>
        </translation>
    </message>
    <message>
        <source>Others that would be settled alike</source>
        <translation>Otros que se resolverían igual</translation>
    </message>
    <message>
        <source>Standing: {standing}. Incoming: {incoming}.</source>
        <translation>Vigente: {standing}. Entrante: {incoming}.</translation>
    </message>
</context>
<context>
    <name>OutcomeList</name>
    <message>
        <source>Another time</source>
        <translation>Otro tiempo</translation>
    </message>
    <message>
        <source>Both hold</source>
        <translation>Ambos son válidos</translation>
    </message>
    <message>
        <source>Defer</source>
        <translation>Aplazar</translation>
    </message>
    <message>
        <source>Incoming wins</source>
        <translation>Gana el entrante</translation>
    </message>
    <message>
        <source>Merged value</source>
        <translation>Valor combinado</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Resultado</translation>
    </message>
    <message>
        <source>Standing stays</source>
        <translation>Queda el vigente</translation>
    </message>
    <message>
        <source>a correction: the old claim was wrong from the start</source>
        <translation>una corrección: la afirmación anterior fue errónea desde el principio</translation>
    </message>
    <message>
        <source>make the attribute multi-valued, or qualify one of them</source>
        <translation>dar varios valores al atributo, o calificar uno de ellos</translation>
    </message>
    <message>
        <source>neither is quite right: type what is true</source>
        <translation>ninguno es del todo correcto: escriba lo verdadero</translation>
    </message>
    <message>
        <source>nothing is written; it stays here and reads as disputed</source>
        <translation>no se escribe nada; queda aquí y se lee como en disputa</translation>
    </message>
    <message>
        <source>one of them really began or ended at another time</source>
        <translation>uno de ellos empezó o terminó en realidad en otro momento</translation>
    </message>
    <message>
        <source>the incoming claim is recorded as rejected</source>
        <translation>la afirmación entrante se registra como rechazada</translation>
    </message>
</context>
<context>
    <name>Page</name>
    <message>
        <source>Show this transaction in the journal</source>
        <translation>Mostrar esta transacción en el diario</translation>
    </message>
    <message>
        <source>tx {number}</source>
        <translation>tx {number}</translation>
    </message>
</context>
<context>
    <name>PathEdit</name>
    <message>
        <source>Choose: {name}</source>
        <translation>Elegir: {name}</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Elegir…</translation>
    </message>
</context>
<context>
    <name>Plan</name>
    <message>
        <source>A fact says the same from then on; the source is added to its evidence.</source>
        <translation>Un hecho dice lo mismo desde entonces; la fuente se añade a su evidencia.</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Después</translation>
    </message>
    <message>
        <source>Another claim stands there. Both are kept, and a person decides: it goes to the conflicts.</source>
        <translation>Ahí hay otra afirmación vigente. Se guardan ambas y una persona decide: va a los conflictos.</translation>
    </message>
    <message>
        <source>Further stretches that change: {number}.</source>
        <translation>Otros tramos que cambian: {number}.</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Ahora</translation>
    </message>
    <message>
        <source>The record knows this already; nothing would be written.</source>
        <translation>El registro ya lo sabe; no se escribiría nada.</translation>
    </message>
    <message>
        <source>What can be read stays as it is.</source>
        <translation>Lo que se puede leer queda como está.</translation>
    </message>
    <message>
        <source>beside it</source>
        <translation>a su lado</translation>
    </message>
    <message>
        <source>“{before}” from {begins} becomes “{value}”.</source>
        <translation>«{before}» desde {begins} pasa a ser «{value}».</translation>
    </message>
    <message>
        <source>“{value}” begins {begins} instead of {before}.</source>
        <translation>«{value}» empieza {begins} en vez de {before}.</translation>
    </message>
    <message>
        <source>“{value}” from {begins} ends {ends} instead of {before}.</source>
        <translation>«{value}» desde {begins} termina {ends} en vez de {before}.</translation>
    </message>
    <message>
        <source>“{value}” from {begins} no longer ends.</source>
        <translation>«{value}» desde {begins} ya no termina.</translation>
    </message>
    <message>
        <source>“{value}” from {begins} now ends {ends}.</source>
        <translation>«{value}» desde {begins} ahora termina {ends}.</translation>
    </message>
    <message>
        <source>“{value}” holds from {begins} on.</source>
        <translation>«{value}» es válido desde {begins}.</translation>
    </message>
    <message>
        <source>“{value}” holds from {begins} to {ends}.</source>
        <translation>«{value}» es válido desde {begins} hasta {ends}.</translation>
    </message>
    <message>
        <source>“{value}” no longer holds from {begins} on.</source>
        <translation>«{value}» deja de ser válido desde {begins}.</translation>
    </message>
    <message>
        <source>“{value}” no longer holds from {begins} to {ends}.</source>
        <translation>«{value}» deja de ser válido desde {begins} hasta {ends}.</translation>
    </message>
</context>
<context>
    <name>PreferencesDialog</name>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>Preferencias</translation>
    </message>
    <message>
        <source>Restore defaults</source>
        <translation>Restablecer valores iniciales</translation>
    </message>
</context>
<context>
    <name>PreviewModel</name>
    <message>
        <source>Column {n}</source>
        <translation>Columna {n}</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>Campo</translation>
    </message>
</context>
<context>
    <name>PropertiesDialog</name>
    <message>
        <source>Access</source>
        <translation>Acceso</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>Atributos</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
    <message>
        <source>Conflicts</source>
        <translation>Conflictos</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copiar</translation>
    </message>
    <message>
        <source>Copy the head of {tenant}</source>
        <translation>Copiar la cabecera de {tenant}</translation>
    </message>
    <message>
        <source>Copy the identity</source>
        <translation>Copiar la identidad</translation>
    </message>
    <message>
        <source>Copy the location</source>
        <translation>Copiar la ubicación</translation>
    </message>
    <message>
        <source>Facts now</source>
        <translation>Hechos ahora</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>Cabecera</translation>
    </message>
    <message>
        <source>Identity</source>
        <translation>Identidad</translation>
    </message>
    <message>
        <source>In memory</source>
        <translation>En memoria</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Clase</translation>
    </message>
    <message>
        <source>Location</source>
        <translation>Ubicación</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Nota</translation>
    </message>
    <message>
        <source>Read and write</source>
        <translation>Lectura y escritura</translation>
    </message>
    <message>
        <source>Read only</source>
        <translation>Solo lectura</translation>
    </message>
    <message>
        <source>SQLite file</source>
        <translation>Archivo SQLite</translation>
    </message>
    <message>
        <source>Schema</source>
        <translation>Esquema</translation>
    </message>
    <message>
        <source>Size on disk</source>
        <translation>Tamaño en disco</translation>
    </message>
    <message>
        <source>Store properties</source>
        <translation>Propiedades del almacén</translation>
    </message>
    <message>
        <source>Tenant</source>
        <translation>Inquilino</translation>
    </message>
    <message>
        <source>Tenants</source>
        <translation>Inquilinos</translation>
    </message>
    <message>
        <source>Transactions</source>
        <translation>Transacciones</translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation>Versión {version}</translation>
    </message>
    <message>
        <source>What it can do</source>
        <translation>Lo que puede hacer</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>y %n más</numerusform>
            <numerusform>y %n más</numerusform>
        </translation>
    </message>
    <message>
        <source>no</source>
        <translation>no</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>sí</translation>
    </message>
    <message>
        <source>{count} of this tenant, {many} of them with several values at once</source>
        <translation>{count} de este inquilino, {many} de ellos con varios valores a la vez</translation>
    </message>
    <message>
        <source>{size}, and {log} of newest writes beside it</source>
        <translation>{size}, y {log} de escrituras recientes a su lado</translation>
    </message>
</context>
<context>
    <name>QuickPick</name>
    <message>
        <source>Nothing fits.</source>
        <translation>Nada coincide.</translation>
    </message>
</context>
<context>
    <name>ReasonEdit</name>
    <message>
        <source>Reason</source>
        <translation>Motivo</translation>
    </message>
</context>
<context>
    <name>RecordForm</name>
    <message>
        <source>All files (*)</source>
        <translation>Todos los archivos (*)</translation>
    </message>
    <message>
        <source>As of</source>
        <translation>A fecha de</translation>
    </message>
    <message>
        <source>Choose a snapshot.</source>
        <translation>Elija una instantánea.</translation>
    </message>
    <message>
        <source>Choose another snapshot.</source>
        <translation>Elija otra instantánea.</translation>
    </message>
    <message>
        <source>Episodes</source>
        <translation>Episodios</translation>
    </message>
    <message>
        <source>Facts</source>
        <translation>Hechos</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>Contiene</translation>
    </message>
    <message>
        <source>It is verified first. A whole record goes into a tenant that has none, with its transactions, ids and digests; otherwise what it believes comes in as facts with their episodes, and its open conflicts are listed.</source>
        <translation>Primero se verifica. Un registro entero entra en un inquilino que no tenga ninguno, con sus transacciones, identificadores y huellas; si no, lo que cree entra como hechos con sus episodios, y sus conflictos abiertos se enumeran.</translation>
    </message>
    <message>
        <source>It keeps values or contents back, so it cannot be taken back.</source>
        <translation>Reserva valores o contenidos, así que no se puede restaurar.</translation>
    </message>
    <message>
        <source>Open conflicts</source>
        <translation>Conflictos abiertos</translation>
    </message>
    <message>
        <source>Snapshot</source>
        <translation>Instantánea</translation>
    </message>
    <message>
        <source>Snapshots (*.zip manifest.json)</source>
        <translation>Instantáneas (*.zip manifest.json)</translation>
    </message>
    <message>
        <source>Tenant</source>
        <translation>Inquilino</translation>
    </message>
    <message>
        <source>The snapshot is being looked at.</source>
        <translation>Se está mirando la instantánea.</translation>
    </message>
    <message>
        <source>Zip file or folder</source>
        <translation>Archivo zip o carpeta</translation>
    </message>
</context>
<context>
    <name>RelativeTime</name>
    <message numerus="yes">
        <source>%n day(s) ago</source>
        <translation>
            <numerusform>hace %n día</numerusform>
            <numerusform>hace %n días</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hour(s) ago</source>
        <translation>
            <numerusform>hace %n hora</numerusform>
            <numerusform>hace %n horas</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s) ago</source>
        <translation>
            <numerusform>hace %n minuto</numerusform>
            <numerusform>hace %n minutos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n month(s) ago</source>
        <translation>
            <numerusform>hace %n mes</numerusform>
            <numerusform>hace %n meses</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n year(s) ago</source>
        <translation>
            <numerusform>hace %n año</numerusform>
            <numerusform>hace %n años</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %n day(s)</source>
        <translation>
            <numerusform>dentro de %n día</numerusform>
            <numerusform>dentro de %n días</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %n hour(s)</source>
        <translation>
            <numerusform>dentro de %n hora</numerusform>
            <numerusform>dentro de %n horas</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %n minute(s)</source>
        <translation>
            <numerusform>dentro de %n minuto</numerusform>
            <numerusform>dentro de %n minutos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %n month(s)</source>
        <translation>
            <numerusform>dentro de %n mes</numerusform>
            <numerusform>dentro de %n meses</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %n year(s)</source>
        <translation>
            <numerusform>dentro de %n año</numerusform>
            <numerusform>dentro de %n años</numerusform>
        </translation>
    </message>
    <message>
        <source>in a moment</source>
        <translation>en un momento</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>ahora mismo</translation>
    </message>
</context>
<context>
    <name>ReportView</name>
    <message>
        <source>Facts that read otherwise</source>
        <translation>Hechos que se leen de otro modo</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>Dejado fuera</translation>
    </message>
    <message>
        <source>Open conflicts of the snapshot</source>
        <translation>Conflictos abiertos de la instantánea</translation>
    </message>
</context>
<context>
    <name>ReportWords</name>
    <message numerus="yes">
        <source>%n conflict(s) wait for a decision.</source>
        <translation>
            <numerusform>%n conflicto espera una decisión.</numerusform>
            <numerusform>%n conflictos esperan una decisión.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) cannot be read, so nothing was written.</source>
        <translation>
            <numerusform>No se puede leer %n fila, así que no se escribió nada.</numerusform>
            <numerusform>No se pueden leer %n filas, así que no se escribió nada.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) were left out.</source>
        <translation>
            <numerusform>Se dejó fuera %n fila.</numerusform>
            <numerusform>Se dejaron fuera %n filas.</numerusform>
        </translation>
    </message>
    <message>
        <source>Facts with a further source</source>
        <translation>Hechos con otra fuente</translation>
    </message>
    <message>
        <source>Fields without a place</source>
        <translation>Campos sin lugar</translation>
    </message>
    <message>
        <source>In conflict</source>
        <translation>En conflicto</translation>
    </message>
    <message>
        <source>Known episodes</source>
        <translation>Episodios conocidos</translation>
    </message>
    <message>
        <source>Known facts</source>
        <translation>Hechos conocidos</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>Dejado fuera</translation>
    </message>
    <message>
        <source>New episodes</source>
        <translation>Episodios nuevos</translation>
    </message>
    <message>
        <source>New facts</source>
        <translation>Hechos nuevos</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Nota</translation>
    </message>
    <message>
        <source>Nothing has been written yet. This is what an import would do.</source>
        <translation>Aún no se ha escrito nada. Esto es lo que haría una importación.</translation>
    </message>
    <message>
        <source>Repair the source, or go back and leave out what is wrong.</source>
        <translation>Repare la fuente, o vuelva atrás y deje fuera lo erróneo.</translation>
    </message>
    <message>
        <source>Rows and lines read</source>
        <translation>Filas y líneas leídas</translation>
    </message>
    <message>
        <source>Several values at once</source>
        <translation>Varios valores a la vez</translation>
    </message>
    <message>
        <source>Stopped on request. What was committed before stays.</source>
        <translation>Detenido a petición. Lo confirmado antes permanece.</translation>
    </message>
    <message>
        <source>The import is done.</source>
        <translation>La importación ha terminado.</translation>
    </message>
    <message>
        <source>Transactions</source>
        <translation>Transacciones</translation>
    </message>
    <message>
        <source>Without a fact</source>
        <translation>Sin hecho</translation>
    </message>
</context>
<context>
    <name>RestoreWords</name>
    <message>
        <source>Head</source>
        <translation>Cabecera</translation>
    </message>
    <message>
        <source>It is the record of {tenant} under another name. No digest covers a tenant&apos;s name, so the chain holds under either.</source>
        <translation>Es el registro de {tenant} con otro nombre. Ninguna huella abarca el nombre de un inquilino, así que la cadena se sostiene con cualquiera.</translation>
    </message>
    <message>
        <source>Nothing has been written yet. The record would be restored whole, with its transactions, ids and digests.</source>
        <translation>Aún no se ha escrito nada. El registro se restauraría entero, con sus transacciones, identificadores y huellas.</translation>
    </message>
    <message>
        <source>Nothing is new: tenant {tenant} has this very record already.</source>
        <translation>No hay nada nuevo: el inquilino {tenant} ya tiene este mismo registro.</translation>
    </message>
    <message>
        <source>Open conflicts</source>
        <translation>Conflictos abiertos</translation>
    </message>
    <message>
        <source>Open in the snapshot</source>
        <translation>Abiertos en la instantánea</translation>
    </message>
    <message>
        <source>Reading otherwise</source>
        <translation>Se leen de otro modo</translation>
    </message>
    <message>
        <source>Taken as facts</source>
        <translation>Tomada como hechos</translation>
    </message>
    <message>
        <source>Tenant</source>
        <translation>Inquilino</translation>
    </message>
    <message>
        <source>The record is restored whole, with its transactions, ids and digests.</source>
        <translation>El registro está restaurado entero, con sus transacciones, identificadores y huellas.</translation>
    </message>
    <message>
        <source>Transactions</source>
        <translation>Transacciones</translation>
    </message>
    <message>
        <source>{count}, not taken along</source>
        <translation>{count}, que no se traen</translation>
    </message>
    <message>
        <source>{count}, which the record has as well</source>
        <translation>{count}, que el registro también tiene</translation>
    </message>
    <message>
        <source>{standing} stands; waiting: {claims}</source>
        <translation>vigente: {standing}; en espera: {claims}</translation>
    </message>
</context>
<context>
    <name>RetoldModel</name>
    <message>
        <source>Fact</source>
        <translation>Hecho</translation>
    </message>
    <message>
        <source>Period</source>
        <translation>Periodo</translation>
    </message>
    <message>
        <source>Reads</source>
        <translation>Cómo se lee</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Valor</translation>
    </message>
</context>
<context>
    <name>RetractFactDialog</name>
    <message>
        <source>Instead</source>
        <translation>En su lugar</translation>
    </message>
    <message>
        <source>Retract</source>
        <translation>Retractar</translation>
    </message>
    <message>
        <source>Retract {attribute}</source>
        <translation>Retractar {attribute}</translation>
    </message>
    <message>
        <source>Retract {key}</source>
        <translation>Retractar {key}</translation>
    </message>
    <message>
        <source>nothing is known for that time</source>
        <translation>no se sabe nada de ese tiempo</translation>
    </message>
    <message>
        <source>what held before flows on</source>
        <translation>lo que era válido antes continúa</translation>
    </message>
</context>
<context>
    <name>RevertForm</name>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Reason for the revert</source>
        <translation>Motivo de la reversión</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>Revertir</translation>
    </message>
    <message>
        <source>Revert transaction {number}</source>
        <translation>Revertir la transacción {number}</translation>
    </message>
    <message>
        <source>Revert transaction {number}? What it changed is put back as it was:</source>
        <translation>¿Revertir la transacción {number}? Lo que cambió vuelve a ser como era:</translation>
    </message>
</context>
<context>
    <name>Ruler</name>
    <message>
        <source>Valid time, in UTC</source>
        <translation>Tiempo de validez, en UTC</translation>
    </message>
    <message>
        <source>now</source>
        <translation>ahora</translation>
    </message>
</context>
<context>
    <name>SearchField</name>
    <message>
        <source>Clear</source>
        <translation>Borrar</translation>
    </message>
    <message>
        <source>no hits</source>
        <translation>nada encontrado</translation>
    </message>
    <message>
        <source>{at} of {count}</source>
        <translation>{at} de {count}</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>Appearance</source>
        <translation>Apariencia</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Como el sistema</translation>
    </message>
    <message>
        <source>Behaviour</source>
        <translation>Comportamiento</translation>
    </message>
    <message>
        <source>Compact</source>
        <translation>Compactas</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Oscuro</translation>
    </message>
    <message>
        <source>Facts that were replaced stay visible as outlines.</source>
        <translation>Los hechos sustituidos siguen visibles como contornos.</translation>
    </message>
    <message>
        <source>Follow writes by other programs</source>
        <translation>Seguir lo que escriben otros programas</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Alto contraste</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Idioma</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Claro</translation>
    </message>
    <message>
        <source>New transactions appear within a second.</source>
        <translation>Las transacciones nuevas aparecen en menos de un segundo.</translation>
    </message>
    <message>
        <source>Normal</source>
        <translation>Normales</translation>
    </message>
    <message>
        <source>Nothing slides, fades or flashes.</source>
        <translation>Nada se desliza, se desvanece ni parpadea.</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>Reducir el movimiento</translation>
    </message>
    <message>
        <source>Roomy</source>
        <translation>Amplias</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Filas</translation>
    </message>
    <message>
        <source>Show superseded beliefs</source>
        <translation>Mostrar creencias sustituidas</translation>
    </message>
    <message>
        <source>Stands as the actor of what you write; empty means operator.</source>
        <translation>Figura como autor de lo que escriba; vacío significa operador.</translation>
    </message>
    <message>
        <source>The exact instant in UTC is always in the tool tip.</source>
        <translation>El instante exacto en UTC está siempre en la ayuda emergente.</translation>
    </message>
    <message>
        <source>The settings could not be read, so defaults are used where needed. ({reason})</source>
        <translation>No se pudieron leer los ajustes, así que se usan valores iniciales donde hace falta. ({reason})</translation>
    </message>
    <message>
        <source>The settings could not be read, so defaults are used where needed; the file is kept as {file}. ({reason})</source>
        <translation>No se pudieron leer los ajustes, así que se usan valores iniciales donde hace falta; el archivo se guarda como {file}. ({reason})</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Tema</translation>
    </message>
    <message>
        <source>This computer&apos;s zone</source>
        <translation>La zona de este equipo</translation>
    </message>
    <message>
        <source>Times are shown in</source>
        <translation>Los tiempos se muestran en</translation>
    </message>
    <message>
        <source>UTC</source>
        <translation>UTC</translation>
    </message>
    <message>
        <source>Your name in the journal</source>
        <translation>Su nombre en el diario</translation>
    </message>
</context>
<context>
    <name>ShortcutsDialog</name>
    <message>
        <source>Find a command or a key</source>
        <translation>Buscar un comando o una tecla</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Teclas</translation>
    </message>
    <message>
        <source>No command or key fits.</source>
        <translation>Ningún comando ni tecla coincide.</translation>
    </message>
    <message>
        <source>or</source>
        <translation>o</translation>
    </message>
</context>
<context>
    <name>SkippedModel</name>
    <message>
        <source>Place</source>
        <translation>Lugar</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Motivo</translation>
    </message>
</context>
<context>
    <name>Snapshot</name>
    <message>
        <source>Before the first transaction</source>
        <translation>Antes de la primera transacción</translation>
    </message>
    <message>
        <source>Contents of sources</source>
        <translation>Contenidos de las fuentes</translation>
    </message>
    <message>
        <source>Everything can be read, and opened as a store again.</source>
        <translation>Todo se puede leer y volver a abrir como almacén.</translation>
    </message>
    <message>
        <source>Facts can be read; sources are there as digests only.</source>
        <translation>Los hechos se pueden leer; de las fuentes solo hay huellas.</translation>
    </message>
    <message>
        <source>Names and times can be read; the rest is digests.</source>
        <translation>Se pueden leer nombres y tiempos; del resto hay huellas.</translation>
    </message>
    <message>
        <source>Nothing</source>
        <extracomment>For each way of keeping back: its name, and what it means for who gets the snapshot.</extracomment>
        <translation>Nada</translation>
    </message>
    <message>
        <source>Transaction {number}, {date}</source>
        <translation>Transacción {number}, {date}</translation>
    </message>
    <message>
        <source>Values and contents</source>
        <translation>Valores y contenidos</translation>
    </message>
    <message>
        <source>Whole record</source>
        <translation>Registro entero</translation>
    </message>
    <message>
        <source>in a window</source>
        <translation>en una ventana</translation>
    </message>
    <message>
        <source>with the store</source>
        <translation>con el almacén</translation>
    </message>
    <message>
        <source>without contents</source>
        <translation>sin contenidos</translation>
    </message>
    <message>
        <source>without values</source>
        <translation>sin valores</translation>
    </message>
    <message>
        <source>{name} keeps values or contents back, so there is no record in it that could be opened. Its report and its proof are there.</source>
        <extracomment>Stands before whatever a package brings as its report: a browser then runs and loads nothing.</extracomment>
        <translation>{name} reserva valores o contenidos, así que no contiene ningún registro que se pueda abrir. Su informe y su prueba sí están.</translation>
    </message>
</context>
<context>
    <name>SnapshotBanner</name>
    <message numerus="yes">
        <source>%n open conflict(s) of it stand in the report only; what is disputed is not marked.</source>
        <translation>
            <numerusform>%n conflicto abierto suyo está solo en el informe; lo disputado no va marcado.</numerusform>
            <numerusform>%n conflictos abiertos suyos están solo en el informe; lo disputado no va marcado.</numerusform>
        </translation>
    </message>
    <message>
        <source>Back to {store}</source>
        <translation>Volver a {store}</translation>
    </message>
    <message>
        <source>Close snapshot</source>
        <translation>Cerrar instantánea</translation>
    </message>
    <message>
        <source>Close the snapshot, and open {store} again as it was looked at.</source>
        <translation>Cierra la instantánea y vuelve a abrir {store} como se estaba mirando.</translation>
    </message>
    <message>
        <source>Close the snapshot; no store was open before.</source>
        <translation>Cierra la instantánea; antes no había ningún almacén abierto.</translation>
    </message>
    <message>
        <source>It is a part of the record, taken in as facts.</source>
        <translation>Es una parte del registro, tomada como hechos.</translation>
    </message>
    <message>
        <source>Open report</source>
        <translation>Abrir informe</translation>
    </message>
    <message>
        <source>Restore into a store…</source>
        <translation>Restaurar en un almacén…</translation>
    </message>
    <message>
        <source>Snapshot of {tenant} as of transaction {number}, {date}; read-only copy.</source>
        <translation>Instantánea de {tenant} a fecha de la transacción {number}, {date}; copia solo para lectura.</translation>
    </message>
    <message>
        <source>Transactions have other numbers and times here than in the record.</source>
        <translation>Las transacciones tienen aquí otros números y tiempos que en el registro.</translation>
    </message>
    <message>
        <source>Verify…</source>
        <translation>Verificar…</translation>
    </message>
</context>
<context>
    <name>SnapshotCounts</name>
    <message>
        <source>Start assumed</source>
        <translation>Comienzo supuesto</translation>
    </message>
    <message>
        <source>Start from the episode</source>
        <translation>Comienzo según el episodio</translation>
    </message>
    <message>
        <source>Start stated</source>
        <extracomment>By what the beginning of a fact is known, as short as a column needs it.</extracomment>
        <translation>Comienzo declarado</translation>
    </message>
    <message>
        <source>Start unknown</source>
        <translation>Comienzo desconocido</translation>
    </message>
</context>
<context>
    <name>SnapshotDialog</name>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
    <message>
        <source>Destination</source>
        <translation>Destino</translation>
    </message>
    <message>
        <source>Files that a stranger can check without this program: what the record said, why, and that nobody changed it since.</source>
        <translation>Archivos que un extraño puede comprobar sin este programa: qué decía el registro, por qué, y que nadie lo cambió desde entonces.</translation>
    </message>
    <message>
        <source>Looking up the transaction.</source>
        <translation>Buscando la transacción.</translation>
    </message>
    <message>
        <source>Nothing was recorded by then.</source>
        <translation>Para entonces aún no se había registrado nada.</translation>
    </message>
    <message>
        <source>Snapshot of {tenant}</source>
        <translation>Instantánea de {tenant}</translation>
    </message>
    <message>
        <source>Take a snapshot</source>
        <translation>Tomar una instantánea</translation>
    </message>
    <message>
        <source>Take another</source>
        <translation>Tomar otra</translation>
    </message>
    <message>
        <source>Take snapshot</source>
        <translation>Tomar instantánea</translation>
    </message>
    <message>
        <source>Taking a snapshot</source>
        <translation>Tomando una instantánea</translation>
    </message>
    <message>
        <source>Writing {name}</source>
        <translation>Escribiendo {name}</translation>
    </message>
    <message>
        <source>as of {point}</source>
        <translation>a fecha de la {point}</translation>
    </message>
</context>
<context>
    <name>SnapshotDialogs</name>
    <message>
        <source>All files (*)</source>
        <translation>Todos los archivos (*)</translation>
    </message>
    <message>
        <source>Key to sign with</source>
        <translation>Clave con la que firmar</translation>
    </message>
    <message>
        <source>Open snapshot</source>
        <translation>Abrir instantánea</translation>
    </message>
    <message>
        <source>Snapshots (*.zip manifest.json)</source>
        <translation>Instantáneas (*.zip manifest.json)</translation>
    </message>
    <message>
        <source>The head of {tenant}, transaction {number}, is in the clipboard.</source>
        <translation>La cabecera de {tenant}, transacción {number}, está en el portapapeles.</translation>
    </message>
    <message>
        <source>The signed head of {tenant}, transaction {number}, is in the clipboard.</source>
        <translation>La cabecera firmada de {tenant}, transacción {number}, está en el portapapeles.</translation>
    </message>
</context>
<context>
    <name>SnapshotForm</name>
    <message>
        <source>A copy of the store beside the record</source>
        <translation>Una copia del almacén junto al registro</translation>
    </message>
    <message>
        <source>A copy would hold what is left out or kept back here.</source>
        <translation>Una copia contendría lo que aquí se deja fuera o se reserva.</translation>
    </message>
    <message>
        <source>A folder</source>
        <translation>Una carpeta</translation>
    </message>
    <message>
        <source>As</source>
        <translation>Como</translation>
    </message>
    <message>
        <source>As of</source>
        <translation>A fecha de</translation>
    </message>
    <message>
        <source>Attribute</source>
        <translation>Atributo</translation>
    </message>
    <message>
        <source>Choose the key to sign with, or make one.</source>
        <translation>Elija la clave con la que firmar, o cree una.</translation>
    </message>
    <message>
        <source>Destination</source>
        <translation>Destino</translation>
    </message>
    <message>
        <source>Facts</source>
        <translation>Hechos</translation>
    </message>
    <message>
        <source>File of the key</source>
        <translation>Archivo de la clave</translation>
    </message>
    <message>
        <source>It has the facts of every agent, not only what {agent} may see.</source>
        <translation>Tiene los hechos de todos los agentes, no solo lo que puede ver {agent}.</translation>
    </message>
    <message>
        <source>Kept back</source>
        <translation>Reservado</translation>
    </message>
    <message>
        <source>Key to sign with</source>
        <translation>Clave con la que firmar</translation>
    </message>
    <message>
        <source>Known at</source>
        <translation>Conocido en</translation>
    </message>
    <message>
        <source>Language of the report</source>
        <translation>Idioma del informe</translation>
    </message>
    <message>
        <source>New key</source>
        <translation>Clave nueva</translation>
    </message>
    <message>
        <source>New key…</source>
        <translation>Clave nueva…</translation>
    </message>
    <message>
        <source>One file (zip)</source>
        <translation>Un archivo (zip)</translation>
    </message>
    <message>
        <source>Package</source>
        <translation>Paquete</translation>
    </message>
    <message>
        <source>Report in</source>
        <translation>Informe en</translation>
    </message>
    <message>
        <source>Say where it goes.</source>
        <translation>Diga adónde va.</translation>
    </message>
    <message>
        <source>Say where the window begins and ends.</source>
        <translation>Diga dónde empieza y termina la ventana.</translation>
    </message>
    <message>
        <source>Sign it with a key</source>
        <translation>Firmarla con una clave</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>Sujeto</translation>
    </message>
    <message>
        <source>Take the newest</source>
        <translation>Tomar lo más reciente</translation>
    </message>
    <message>
        <source>Tenant</source>
        <translation>Inquilino</translation>
    </message>
    <message>
        <source>The copy has what was recorded later too.</source>
        <translation>La copia tiene también lo registrado después.</translation>
    </message>
    <message>
        <source>The store has no file that could be copied.</source>
        <translation>El almacén no tiene ningún archivo que copiar.</translation>
    </message>
    <message>
        <source>The store has other tenants, whose records would go with it.</source>
        <translation>El almacén tiene otros inquilinos, cuyos registros irían con ella.</translation>
    </message>
    <message>
        <source>The window must end after it begins.</source>
        <translation>La ventana debe terminar después de empezar.</translation>
    </message>
    <message>
        <source>This needs the package “cryptography”, which is not installed.</source>
        <translation>Para esto hace falta el paquete «cryptography», que no está instalado.</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Tipo</translation>
    </message>
    <message>
        <source>Valid at</source>
        <translation>Válido en</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Qué</translation>
    </message>
    <message>
        <source>Window from</source>
        <translation>Ventana desde</translation>
    </message>
    <message>
        <source>Window to</source>
        <translation>Ventana hasta</translation>
    </message>
    <message>
        <source>at any time of a window</source>
        <translation>en algún momento de una ventana</translation>
    </message>
    <message>
        <source>every attribute</source>
        <translation>todos los atributos</translation>
    </message>
    <message>
        <source>every subject</source>
        <translation>todos los sujetos</translation>
    </message>
    <message>
        <source>every type</source>
        <translation>todos los tipos</translation>
    </message>
    <message>
        <source>from</source>
        <translation>desde</translation>
    </message>
    <message>
        <source>in force at</source>
        <translation>vigentes en</translation>
    </message>
    <message>
        <source>newest</source>
        <translation>lo más reciente</translation>
    </message>
    <message>
        <source>that transaction’s time</source>
        <translation>el de la transacción</translation>
    </message>
    <message>
        <source>to</source>
        <translation>hasta</translation>
    </message>
</context>
<context>
    <name>Snapshots</name>
    <message>
        <source>not looked at</source>
        <translation>sin mirar</translation>
    </message>
    <message>
        <source>not the same</source>
        <translation>no es la misma</translation>
    </message>
    <message>
        <source>not there</source>
        <translation>no está</translation>
    </message>
    <message>
        <source>there</source>
        <translation>está</translation>
    </message>
</context>
<context>
    <name>SnapshotsDialog</name>
    <message>
        <source>A snapshot holds what was believed on a day, why, and the proof that nobody changed the record. What is taken is listed here.</source>
        <translation>Una instantánea contiene lo que se creía un día, por qué, y la prueba de que nadie cambió el registro. Las que se toman se listan aquí.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
    <message>
        <source>Copy head</source>
        <translation>Copiar cabecera</translation>
    </message>
    <message>
        <source>No snapshot was taken here yet</source>
        <translation>Aquí aún no se tomó ninguna instantánea</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Abrir</translation>
    </message>
    <message>
        <source>Open report</source>
        <translation>Abrir informe</translation>
    </message>
    <message>
        <source>Restore into a store…</source>
        <translation>Restaurar en un almacén…</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Mostrar en la carpeta</translation>
    </message>
    <message>
        <source>Show the record in it, read-only</source>
        <translation>Mostrar el registro que contiene, solo para lectura</translation>
    </message>
    <message>
        <source>Snapshots taken</source>
        <translation>Instantáneas tomadas</translation>
    </message>
    <message>
        <source>Take a snapshot…</source>
        <translation>Tomar instantánea…</translation>
    </message>
    <message>
        <source>Verify…</source>
        <translation>Verificar…</translation>
    </message>
</context>
<context>
    <name>SnapshotsModel</name>
    <message>
        <source>Destination</source>
        <translation>Destino</translation>
    </message>
    <message>
        <source>Digest</source>
        <translation>Huella</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Archivo</translation>
    </message>
    <message>
        <source>Taken</source>
        <translation>Tomada</translation>
    </message>
    <message>
        <source>Transaction</source>
        <translation>Transacción</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Qué</translation>
    </message>
</context>
<context>
    <name>SourceCard</name>
    <message>
        <source>Evidence: {words}</source>
        <translation>Evidencia: {words}</translation>
    </message>
    <message>
        <source>Source {name}</source>
        <translation>Fuente {name}</translation>
    </message>
</context>
<context>
    <name>SourcePicker</name>
    <message>
        <source>A note of mine</source>
        <translation>Una nota mía</translation>
    </message>
    <message>
        <source>An episode of the record</source>
        <translation>Un episodio del registro</translation>
    </message>
    <message>
        <source>Choose the episode that says so.</source>
        <translation>Elija el episodio que lo dice.</translation>
    </message>
    <message>
        <source>Episode</source>
        <translation>Episodio</translation>
    </message>
    <message>
        <source>Find an episode by its words or id</source>
        <translation>Buscar un episodio por sus palabras o su id</translation>
    </message>
    <message>
        <source>How you know it; kept as an operator note</source>
        <translation>Cómo lo sabe; se guarda como nota del operador</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Nota</translation>
    </message>
    <message>
        <source>Write how you know it.</source>
        <translation>Escriba cómo lo sabe.</translation>
    </message>
    <message>
        <source>choose…</source>
        <translation>elegir…</translation>
    </message>
</context>
<context>
    <name>State</name>
    <message>
        <source>current</source>
        <translation>actual</translation>
    </message>
    <message>
        <source>disputed</source>
        <translation>en disputa</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>terminado</translation>
    </message>
    <message>
        <source>future</source>
        <translation>futuro</translation>
    </message>
</context>
<context>
    <name>StatusStrip</name>
    <message numerus="yes">
        <source>%n conflict(s)</source>
        <translation>
            <numerusform>%n conflicto</numerusform>
            <numerusform>%n conflictos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n fact(s)</source>
        <translation>
            <numerusform>%n hecho</numerusform>
            <numerusform>%n hechos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n newer transaction(s)</source>
        <translation>
            <numerusform>%n transacción más nueva</numerusform>
            <numerusform>%n transacciones más nuevas</numerusform>
        </translation>
    </message>
    <message>
        <source>full text</source>
        <translation>texto completo</translation>
    </message>
    <message>
        <source>history</source>
        <translation>historia</translation>
    </message>
    <message>
        <source>live</source>
        <translation>en vivo</translation>
    </message>
    <message>
        <source>looking at another time</source>
        <translation>mirando otro tiempo</translation>
    </message>
    <message>
        <source>many writers</source>
        <translation>varios escritores</translation>
    </message>
    <message>
        <source>no erase</source>
        <translation>sin borrado</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>en pausa</translation>
    </message>
    <message>
        <source>read only</source>
        <translation>solo lectura</translation>
    </message>
    <message>
        <source>snapshot, read only</source>
        <translation>instantánea, solo lectura</translation>
    </message>
    <message>
        <source>transaction {number}</source>
        <translation>transacción {number}</translation>
    </message>
</context>
<context>
    <name>StoreChoice</name>
    <message>
        <source>A store that is there, or a new file</source>
        <translation>Un almacén que exista o un archivo nuevo</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Todos los archivos (*)</translation>
    </message>
    <message>
        <source>Another, or a new one:</source>
        <translation>Otro, o uno nuevo:</translation>
    </message>
    <message>
        <source>Choose a store.</source>
        <translation>Elija un almacén.</translation>
    </message>
    <message>
        <source>Memory stores (*.db *.sqlite)</source>
        <translation>Almacenes de memoria (*.db *.sqlite)</translation>
    </message>
    <message>
        <source>Store</source>
        <translation>Almacén</translation>
    </message>
    <message>
        <source>The open store, {store}</source>
        <translation>El almacén abierto, {store}</translation>
    </message>
    <message>
        <source>There is none yet; a new store is made.</source>
        <translation>Aún no hay ninguno; se crea un almacén nuevo.</translation>
    </message>
</context>
<context>
    <name>SubjectPage</name>
    <message numerus="yes">
        <source>%n fact(s) in force</source>
        <translation>
            <numerusform>%n hecho vigente</numerusform>
            <numerusform>%n hechos vigentes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stretch(es)</source>
        <translation>
            <numerusform>%n tramo</numerusform>
            <numerusform>%n tramos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>More than %n fact(s) in force</source>
        <translation>
            <numerusform>Más de %n hecho vigente</numerusform>
            <numerusform>Más de %n hechos vigentes</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing holds of it at the instant from which you look.</source>
        <translation>Nada suyo es válido en el instante desde el que se mira.</translation>
    </message>
    <message>
        <source>Nothing holds of it now. Its past is on the timeline.</source>
        <translation>Nada suyo es válido ahora. Su pasado está en la línea de tiempo.</translation>
    </message>
    <message>
        <source>Show all in the facts table</source>
        <translation>Mostrar todo en la tabla de hechos</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>Sujeto</translation>
    </message>
</context>
<context>
    <name>TableForm</name>
    <message>
        <source>0, unknown</source>
        <translation>0, desconocido</translation>
    </message>
    <message>
        <source>3000, present</source>
        <translation>3000, presente</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Todos los archivos (*)</translation>
    </message>
    <message>
        <source>Attributes that hold one value at a time</source>
        <translation>Atributos con un solo valor cada vez</translation>
    </message>
    <message>
        <source>Attributes that hold several values at once</source>
        <translation>Atributos con varios valores a la vez</translation>
    </message>
    <message>
        <source>CSV, TSV or JSON Lines in UTF-8. Every row is kept as an episode; one whose beginning is known becomes a fact. The first rows appear here, with a choice of fields over each column.</source>
        <translation>CSV, TSV o JSON Lines en UTF-8. Cada fila se guarda como episodio; si se conoce su comienzo, da un hecho. Aquí aparecen las primeras filas, con los campos a elegir sobre cada columna.</translation>
    </message>
    <message>
        <source>Choose a file.</source>
        <translation>Elija un archivo.</translation>
    </message>
    <message>
        <source>Choose a time zone.</source>
        <translation>Elija una zona horaria.</translation>
    </message>
    <message>
        <source>Ends are included: to 1929 means through 1929</source>
        <translation>Finales incluidos: hasta 1929 abarca todo 1929</translation>
    </message>
    <message>
        <source>Field of {column}</source>
        <translation>Campo de {column}</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Archivo</translation>
    </message>
    <message>
        <source>File of names and ids, two to a line</source>
        <translation>Archivo de nombres e ids, dos por línea</translation>
    </message>
    <message>
        <source>How cells are read</source>
        <translation>Cómo se leen las celdas</translation>
    </message>
    <message>
        <source>Names for: {field}</source>
        <translation>Nombres para: {field}</translation>
    </message>
    <message>
        <source>Names instead of ids</source>
        <translation>Nombres en lugar de ids</translation>
    </message>
    <message>
        <source>Not imported</source>
        <translation>Sin importar</translation>
    </message>
    <message>
        <source>One value at a time</source>
        <translation>Un valor cada vez</translation>
    </message>
    <message>
        <source>Open end is written</source>
        <translation>Final abierto, escrito</translation>
    </message>
    <message>
        <source>Say which column holds: {fields}.</source>
        <translation>Diga qué columna contiene: {fields}.</translation>
    </message>
    <message>
        <source>Several values at once</source>
        <translation>Varios valores a la vez</translation>
    </message>
    <message>
        <source>Tables (*.csv *.tsv *.tab *.txt *.jsonl *.ndjson)</source>
        <translation>Tablas (*.csv *.tsv *.tab *.txt *.jsonl *.ndjson)</translation>
    </message>
    <message>
        <source>The first row names the columns</source>
        <translation>La primera fila nombra las columnas</translation>
    </message>
    <message>
        <source>The first rows are being read.</source>
        <translation>Se están leyendo las primeras filas.</translation>
    </message>
    <message>
        <source>Unknown time is written</source>
        <translation>Desconocido, escrito</translation>
    </message>
    <message>
        <source>Values are written as JSON</source>
        <translation>Los valores están escritos en JSON</translation>
    </message>
    <message>
        <source>What stands for a time that nobody knows</source>
        <translation>Lo que representa un tiempo que nadie conoce</translation>
    </message>
    <message>
        <source>What stands for an end that has not come</source>
        <translation>Lo que representa un final que no ha llegado</translation>
    </message>
    <message>
        <source>Zone</source>
        <translation>Zona</translation>
    </message>
    <message>
        <source>Zone of dates, and of times without an offset</source>
        <translation>Zona de las fechas, y de las horas sin desfase</translation>
    </message>
    <message>
        <source>all others</source>
        <translation>todos los demás</translation>
    </message>
    <message>
        <source>spouse, or * for all</source>
        <translation>cónyuge, o * para todos</translation>
    </message>
    <message>
        <source>{name} cannot have several values and one value.</source>
        <translation>{name} no puede tener varios valores y uno solo.</translation>
    </message>
</context>
<context>
    <name>Text</name>
    <message>
        <source>now</source>
        <translation>ahora</translation>
    </message>
    <message>
        <source>until changed</source>
        <translation>hasta que cambie</translation>
    </message>
</context>
<context>
    <name>TimelineView</name>
    <message>
        <source>Add a fact…</source>
        <translation>Añadir un hecho…</translation>
    </message>
    <message>
        <source>Add a first fact, or import what was remembered elsewhere.</source>
        <translation>Añada un primer hecho o importe lo que se recordó en otra parte.</translation>
    </message>
    <message>
        <source>Clear all filters</source>
        <translation>Quitar todos los filtros</translation>
    </message>
    <message>
        <source>Clear the filter to see all facts.</source>
        <translation>Quite el filtro para ver todos los hechos.</translation>
    </message>
    <message>
        <source>Facts appear here as bars over the time in which they hold.</source>
        <translation>Aquí aparecen los hechos como barras sobre el tiempo en que son válidos.</translation>
    </message>
    <message>
        <source>Import ZeroClaw memory…</source>
        <translation>Importar memoria de ZeroClaw…</translation>
    </message>
    <message>
        <source>Import a table…</source>
        <translation>Importar una tabla…</translation>
    </message>
    <message>
        <source>No fact fits the filter.</source>
        <translation>Ningún hecho coincide con el filtro.</translation>
    </message>
    <message>
        <source>Scroll the lanes</source>
        <translation>Recorrer los carriles</translation>
    </message>
</context>
<context>
    <name>TransactionPage</name>
    <message>
        <source>Actor</source>
        <translation>Autor</translation>
    </message>
    <message>
        <source>Copy the digest</source>
        <translation>Copiar la huella</translation>
    </message>
    <message>
        <source>Digest</source>
        <translation>Huella</translation>
    </message>
    <message>
        <source>Episodes</source>
        <translation>Episodios</translation>
    </message>
    <message>
        <source>Open in the journal</source>
        <translation>Abrir en el diario</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>Registrado</translation>
    </message>
    <message>
        <source>Reverted by</source>
        <translation>Revertida por</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>Herramienta</translation>
    </message>
    <message>
        <source>Transaction {number}</source>
        <translation>Transacción {number}</translation>
    </message>
</context>
<context>
    <name>ValueEdit</name>
    <message>
        <source>Keep as text</source>
        <translation>Mantener como texto</translation>
    </message>
    <message>
        <source>Stored as a list: {value}</source>
        <translation>Se guarda como lista: {value}</translation>
    </message>
    <message>
        <source>Stored as a number: {value}</source>
        <translation>Se guarda como número: {value}</translation>
    </message>
    <message>
        <source>Stored as an object: {value}</source>
        <translation>Se guarda como objeto: {value}</translation>
    </message>
    <message>
        <source>Stored as null, a value that says “none”.</source>
        <translation>Se guarda como null, un valor que dice «ninguno».</translation>
    </message>
    <message>
        <source>Stored as text: {value}</source>
        <translation>Se guarda como texto: {value}</translation>
    </message>
    <message>
        <source>Stored as yes or no: {value}</source>
        <translation>Se guarda como sí o no: {value}</translation>
    </message>
    <message>
        <source>Text as it is, or JSON: 42, true, null, [1, 2], {…}.</source>
        <translation>Texto tal cual, o JSON: 42, true, null, [1, 2], {…}.</translation>
    </message>
    <message>
        <source>This begins like JSON and is none. {stored}</source>
        <translation>Empieza como JSON y no lo es. {stored}</translation>
    </message>
</context>
<context>
    <name>ValueView</name>
    <message>
        <source>Value</source>
        <translation>Valor</translation>
    </message>
</context>
<context>
    <name>VerifyChecks</name>
    <message>
        <source>A fact is missing here, or one was added before it.</source>
        <translation>Aquí falta un hecho, o se añadió uno antes.</translation>
    </message>
    <message>
        <source>A head says nothing of those: who writes them anew writes the manifest anew. The snapshot&apos;s digest, kept elsewhere, holds them, or a signature by a known key.</source>
        <translation>Una cabecera no dice nada de ellos: quien los rehace rehace también el manifiesto. Los ampara la huella de la copia, guardada aparte, o una firma de una clave conocida.</translation>
    </message>
    <message>
        <source>A row names the fact {fact}, which the key never had.</source>
        <translation>Una fila nombra el hecho {fact}, que la clave nunca tuvo.</translation>
    </message>
    <message>
        <source>A secret of the record is missing, or should be.</source>
        <extracomment>What the verifier finds wrong, with gaps for what it names.</extracomment>
        <translation>Falta un secreto del registro, o debería faltar.</translation>
    </message>
    <message>
        <source>A signature proves something only if its key is known from elsewhere.</source>
        <translation>Una firma solo demuestra algo si su clave se conoce por otra vía.</translation>
    </message>
    <message>
        <source>A span leads beyond the end of its episode.</source>
        <translation>Un fragmento llega más allá del final de su episodio.</translation>
    </message>
    <message>
        <source>After every transaction, derived rows follow from the assertions</source>
        <translation>Tras cada transacción, las filas derivadas se siguen de las afirmaciones</translation>
    </message>
    <message>
        <source>Agents and sessions of episodes are under the same digests: they are shown as whoever sent the snapshot has them, and not proved.</source>
        <translation>Los agentes y las sesiones de los episodios están bajo las mismas huellas: se muestran como los tiene quien envió la instantánea, y no se prueban.</translation>
    </message>
    <message>
        <source>An episode is there twice.</source>
        <translation>Un episodio está dos veces.</translation>
    </message>
    <message>
        <source>Another belief begins then too.</source>
        <translation>Otra creencia empieza también entonces.</translation>
    </message>
    <message>
        <source>Another row follows from the ledger here.</source>
        <translation>Del libro se sigue aquí otra fila.</translation>
    </message>
    <message>
        <source>Beliefs end after they begin</source>
        <translation>Las creencias terminan después de empezar</translation>
    </message>
    <message>
        <source>Each file has the size, digest and lines that the manifest says</source>
        <translation>Cada archivo tiene el tamaño, la huella y las líneas que dice el manifiesto</translation>
    </message>
    <message>
        <source>Each transaction&apos;s digest follows from all before it and its entries</source>
        <translation>La huella de cada transacción se sigue de las anteriores y de sus entradas</translation>
    </message>
    <message>
        <source>Episode {episode} is missing.</source>
        <translation>Falta el episodio {episode}.</translation>
    </message>
    <message>
        <source>Every episode that is cited is there</source>
        <translation>Está cada episodio que se cita</translation>
    </message>
    <message>
        <source>Every line of the ledger&apos;s files is well formed, canonical and in order</source>
        <translation>Cada línea de los archivos del libro es correcta, canónica y está en orden</translation>
    </message>
    <message>
        <source>Everything lies in the scope of the filter</source>
        <translation>Todo está dentro del alcance del filtro</translation>
    </message>
    <message>
        <source>It ends here, and more facts follow.</source>
        <translation>Termina aquí, y se siguen más hechos.</translation>
    </message>
    <message>
        <source>It goes on where nothing more follows.</source>
        <translation>Sigue donde ya no se sigue nada.</translation>
    </message>
    <message>
        <source>It has {count} lines, and the manifest says otherwise.</source>
        <translation>Tiene {count} líneas, y el manifiesto dice otra cosa.</translation>
    </message>
    <message>
        <source>It has {size} bytes, not {said}.</source>
        <translation>Tiene {size} bytes, no {said}.</translation>
    </message>
    <message>
        <source>It is another one: its digest is {digest}.</source>
        <translation>Es otro: su huella es {digest}.</translation>
    </message>
    <message>
        <source>It is not signed.</source>
        <translation>No está firmada.</translation>
    </message>
    <message>
        <source>It is not written as snapshots write it.</source>
        <translation>No está escrito como lo escriben las instantáneas.</translation>
    </message>
    <message>
        <source>It is the manifest whose digest was noted elsewhere</source>
        <translation>Es el manifiesto cuya huella se anotó en otro lugar</translation>
    </message>
    <message>
        <source>It says that it has more entries than all files can hold.</source>
        <translation>Dice tener más entradas de las que caben en todos los archivos.</translation>
    </message>
    <message>
        <source>It says {member} {said}; {due} follows from the ledger.</source>
        <translation>Dice {member} {said}; del libro se sigue {due}.</translation>
    </message>
    <message>
        <source>It was changed: its digest is not that of what it says.</source>
        <translation>Se cambió: su huella no es la de lo que dice.</translation>
    </message>
    <message>
        <source>It was changed: its digest is not the manifest&apos;s.</source>
        <translation>Se cambió: su huella no es la del manifiesto.</translation>
    </message>
    <message>
        <source>Its columns are not those of a snapshot.</source>
        <translation>Sus columnas no son las de una instantánea.</translation>
    </message>
    <message>
        <source>Its events are out of order.</source>
        <translation>Sus sucesos están desordenados.</translation>
    </message>
    <message>
        <source>Its time is not after its predecessor&apos;s.</source>
        <translation>Su tiempo no es posterior al de la anterior.</translation>
    </message>
    <message>
        <source>Its total is not its predecessor&apos;s and its own entries.</source>
        <translation>Su total no es el de la anterior más sus propias entradas.</translation>
    </message>
    <message>
        <source>Names, values, contents and reasons are what was committed to</source>
        <translation>Nombres, valores, contenidos y motivos son los comprometidos</translation>
    </message>
    <message>
        <source>No digest of a manifest was given.</source>
        <translation>No se dio la huella de ningún manifiesto.</translation>
    </message>
    <message>
        <source>No head or digest that was kept elsewhere was given: a cut end, or a snapshot made up as a whole, cannot be noticed.</source>
        <translation>No se dio ninguna cabecera ni huella guardada en otro lugar: no se puede notar un final cortado, ni una instantánea inventada por entero.</translation>
    </message>
    <message>
        <source>No head was given.</source>
        <translation>No se dio ninguna cabecera.</translation>
    </message>
    <message>
        <source>No two beliefs about a key begin at one instant at once</source>
        <translation>Dos creencias sobre una clave no empiezan a la vez en un mismo instante</translation>
    </message>
    <message>
        <source>Nothing that is there cites an episode.</source>
        <translation>Nada de lo que hay cita un episodio.</translation>
    </message>
    <message>
        <source>Rows name no facts but those of their key</source>
        <translation>Las filas no nombran más hechos que los de su clave</translation>
    </message>
    <message>
        <source>So are subjects, attributes, owners and agents of facts: shown, and not proved. Who knows the record can compare them with it.</source>
        <translation>También los sujetos, atributos, propietarios y agentes de los hechos: se muestran, y no se prueban. Quien conozca el registro puede compararlos con él.</translation>
    </message>
    <message>
        <source>Stated ends follow beginnings</source>
        <translation>Los finales declarados siguen a los comienzos</translation>
    </message>
    <message>
        <source>That nothing of its scope is among what was left out is not proved: of that there are digests only.</source>
        <translation>No se demuestra que entre lo omitido no haya nada de su alcance: de ello solo hay huellas.</translation>
    </message>
    <message>
        <source>The belief ends before it begins.</source>
        <translation>La creencia termina antes de empezar.</translation>
    </message>
    <message>
        <source>The chain ends with {head}.</source>
        <translation>La cadena termina con {head}.</translation>
    </message>
    <message>
        <source>The chain that they enter does not hold.</source>
        <translation>La cadena en la que entran no es correcta.</translation>
    </message>
    <message>
        <source>The entry&apos;s transaction is not there.</source>
        <translation>La transacción de la entrada no está.</translation>
    </message>
    <message>
        <source>The fact says another value too.</source>
        <translation>El hecho dice también otro valor.</translation>
    </message>
    <message>
        <source>The files of a snapshot are there, and no others</source>
        <translation>Están los archivos de una instantánea, y ningún otro</translation>
    </message>
    <message>
        <source>The head that was noted elsewhere is in the chain</source>
        <translation>La cabecera que se anotó en otro lugar está en la cadena</translation>
    </message>
    <message>
        <source>The line is out of order, or there twice.</source>
        <translation>La línea está fuera de orden, o dos veces.</translation>
    </message>
    <message>
        <source>The line is unusable: {why}.</source>
        <translation>La línea no se puede usar: {why}.</translation>
    </message>
    <message>
        <source>The manifest is well formed and gives its own digest</source>
        <extracomment>The titles of checks as the verifier writes them.</extracomment>
        <translation>El manifiesto es correcto y da su propia huella</translation>
    </message>
    <message>
        <source>The manifest names another transaction besides.</source>
        <translation>El manifiesto nombra además otra transacción.</translation>
    </message>
    <message>
        <source>The manifest should list {name}, or should not.</source>
        <translation>El manifiesto debería listar {name}, o no debería.</translation>
    </message>
    <message>
        <source>The manifest was signed with the key that manifest.sig names</source>
        <translation>El manifiesto se firmó con la clave que nombra manifest.sig</translation>
    </message>
    <message>
        <source>The manifest&apos;s counts are those of the files</source>
        <translation>Los recuentos del manifiesto son los de los archivos</translation>
    </message>
    <message>
        <source>The manifest&apos;s head is the end of the chain</source>
        <translation>La cabecera del manifiesto es el final de la cadena</translation>
    </message>
    <message>
        <source>The manifest&apos;s times are not those of its transaction.</source>
        <translation>Los tiempos del manifiesto no son los de su transacción.</translation>
    </message>
    <message>
        <source>The reports, the provenance and the verifier in it are held to their digests only, not to the ledger.</source>
        <extracomment>What the verifier says that it does not prove, and how that is said here.</extracomment>
        <translation>Los informes, la procedencia y el verificador que contiene se cotejan solo con sus huellas, no con el libro.</translation>
    </message>
    <message>
        <source>The rows of a fact say one value at once</source>
        <translation>Las filas de un hecho dicen a la vez un solo valor</translation>
    </message>
    <message>
        <source>The snapshot ends with transaction {newest}, before the noted {number}: its tail was cut off, or it was taken as of an earlier time.</source>
        <translation>La instantánea termina con la transacción {newest}, antes de la anotada {number}: se cortó su final, o se tomó a fecha de un tiempo anterior.</translation>
    </message>
    <message>
        <source>The state of each conflict follows from its events</source>
        <translation>El estado de cada conflicto se sigue de sus sucesos</translation>
    </message>
    <message>
        <source>The stated end is not after the beginning.</source>
        <translation>El final declarado no es posterior al comienzo.</translation>
    </message>
    <message>
        <source>The verify.py in it is not the one that ran: it is of another version, or was exchanged. Do not rely on it.</source>
        <translation>El verify.py que contiene no es el que se ejecutó: es de otra versión o fue cambiado. No se fíe de él.</translation>
    </message>
    <message>
        <source>The whole record is there.</source>
        <translation>Está el registro entero.</translation>
    </message>
    <message>
        <source>Transaction {number} has another digest: the record was made anew.</source>
        <translation>La transacción {number} tiene otra huella: el registro se hizo de nuevo.</translation>
    </message>
    <message>
        <source>Transaction {number} is missing.</source>
        <translation>Falta la transacción {number}.</translation>
    </message>
    <message>
        <source>Transactions are numbered without gaps and rise in time</source>
        <translation>Las transacciones van numeradas sin huecos y avanzan en el tiempo</translation>
    </message>
    <message>
        <source>Values are withheld.</source>
        <translation>Los valores están reservados.</translation>
    </message>
    <message>
        <source>What is kept back is there as digests, not proved.</source>
        <translation>De lo reservado hay huellas, que no se prueban.</translation>
    </message>
    <message>
        <source>does not apply</source>
        <translation>no procede</translation>
    </message>
    <message>
        <source>facts.csv says the same</source>
        <translation>facts.csv dice lo mismo</translation>
    </message>
    <message>
        <source>facts.jsonl says what follows from the ledger</source>
        <translation>facts.jsonl dice lo que se sigue del libro</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>falló</translation>
    </message>
    <message>
        <source>line {number}</source>
        <translation>línea {number}</translation>
    </message>
    <message>
        <source>not provable</source>
        <translation>no se puede probar</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>superada</translation>
    </message>
    <message>
        <source>transaction {number}</source>
        <translation>transacción {number}</translation>
    </message>
    <message>
        <source>{count} stand for what is withheld, and are taken as given.</source>
        <translation>{count} están en lugar de lo reservado, y se toman como dados.</translation>
    </message>
    <message>
        <source>{name} does not belong there: it was added.</source>
        <translation>{name} no es de ahí: se añadió.</translation>
    </message>
    <message>
        <source>{name} is missing.</source>
        <translation>Falta {name}.</translation>
    </message>
    <message>
        <source>{name} is not what the files give.</source>
        <translation>{name} no es lo que dan los archivos.</translation>
    </message>
</context>
<context>
    <name>VerifyDialog</name>
    <message>
        <source>A head is a number, a colon and 64 digits; a digest is 64 digits; a public key begins with ed25519.</source>
        <translation>Una cabecera es un número, dos puntos y 64 dígitos; una huella, 64 dígitos; una clave pública empieza por ed25519.</translation>
    </message>
    <message>
        <source>A head or its whole line, a digest or a public key, if you kept one</source>
        <translation>Una cabecera o su línea entera, una huella o una clave pública, si la guardó</translation>
    </message>
    <message>
        <source>Added since</source>
        <translation>Añadidos desde entonces</translation>
    </message>
    <message>
        <source>Against the open store</source>
        <translation>Frente al almacén abierto</translation>
    </message>
    <message>
        <source>All digests are made again from its files, the rules of the ledger are looked at, and what the facts say is held against the record. Nothing in it is run.</source>
        <translation>Todas las huellas se calculan de nuevo a partir de sus archivos, se miran las reglas del libro y se coteja lo que dicen los hechos con el registro. No se ejecuta nada de ella.</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Todos los archivos (*)</translation>
    </message>
    <message>
        <source>Changed since</source>
        <translation>Cambiados desde entonces</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>Pruebas</translation>
    </message>
    <message>
        <source>Choose a snapshot.</source>
        <translation>Elija una instantánea.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
    <message>
        <source>Compare with the open store</source>
        <translation>Comparar con el almacén abierto</translation>
    </message>
    <message>
        <source>Copy result</source>
        <translation>Copiar resultado</translation>
    </message>
    <message>
        <source>Drop a snapshot here, or choose it above</source>
        <translation>Suelte aquí una instantánea, o elíjala arriba</translation>
    </message>
    <message>
        <source>Ended since</source>
        <translation>Terminados desde entonces</translation>
    </message>
    <message>
        <source>Head, digest or public key that you kept</source>
        <translation>Cabecera, huella o clave pública guardada</translation>
    </message>
    <message>
        <source>Head: {head}</source>
        <translation>Cabecera: {head}</translation>
    </message>
    <message numerus="yes">
        <source>It is how the record of the open store began; %n transaction(s) came after.</source>
        <translation>
            <numerusform>Así empezó el registro del almacén abierto; después llegó %n transacción.</numerusform>
            <numerusform>Así empezó el registro del almacén abierto; después llegaron %n transacciones.</numerusform>
        </translation>
    </message>
    <message>
        <source>It is not the record of the open store.</source>
        <translation>No es el registro del almacén abierto.</translation>
    </message>
    <message>
        <source>It is signed with the key that you kept.</source>
        <translation>Está firmada con la clave que usted guardó.</translation>
    </message>
    <message>
        <source>It is signed with the key {key}. Whose key that is, it cannot prove itself.</source>
        <translation>Está firmada con la clave {key}. De quién es esa clave no lo puede probar ella misma.</translation>
    </message>
    <message>
        <source>It is the whole record of the open store.</source>
        <translation>Es el registro entero del almacén abierto.</translation>
    </message>
    <message>
        <source>Kept elsewhere</source>
        <translation>Guardado aparte</translation>
    </message>
    <message>
        <source>Nothing is wrong. It is what it was when its digest was kept elsewhere.</source>
        <translation>Nada está mal. Es lo que era cuando se guardó aparte su huella.</translation>
    </message>
    <message>
        <source>Nothing is wrong. That nobody made it up as a whole is proved only by a head or a digest that was kept elsewhere.</source>
        <translation>Nada está mal. Que nadie la inventó por entero solo lo prueba una cabecera o una huella guardada aparte.</translation>
    </message>
    <message>
        <source>Nothing is wrong. The record is what it was when its head was kept elsewhere; of the reports in it a head says nothing.</source>
        <translation>Nada está mal. El registro es lo que era cuando se guardó aparte su cabecera; de los informes que contiene, una cabecera no dice nada.</translation>
    </message>
    <message>
        <source>Open report</source>
        <translation>Abrir informe</translation>
    </message>
    <message>
        <source>Same facts</source>
        <translation>Hechos iguales</translation>
    </message>
    <message>
        <source>Snapshot</source>
        <translation>Instantánea</translation>
    </message>
    <message>
        <source>Snapshots (*.zip manifest.json)</source>
        <translation>Instantáneas (*.zip manifest.json)</translation>
    </message>
    <message>
        <source>The head is signed with the key that you kept.</source>
        <translation>La cabecera está firmada con la clave que usted guardó.</translation>
    </message>
    <message>
        <source>The head is signed with the key {key}. Whose key that is, it cannot prove itself.</source>
        <translation>La cabecera está firmada con la clave {key}. De quién es, no puede probarlo por sí misma.</translation>
    </message>
    <message>
        <source>The manifest is signed, but its files are not those that it names.</source>
        <translation>El manifiesto está firmado, pero sus archivos no son los que nombra.</translation>
    </message>
    <message numerus="yes">
        <source>The open store ends %n transaction(s) before the snapshot.</source>
        <translation>
            <numerusform>El almacén abierto termina %n transacción antes que la instantánea.</numerusform>
            <numerusform>El almacén abierto termina %n transacciones antes que la instantánea.</numerusform>
        </translation>
    </message>
    <message>
        <source>The records part at transaction {number}.</source>
        <translation>Los registros se separan en la transacción {number}.</translation>
    </message>
    <message>
        <source>The snapshot is not what it says: something was changed.</source>
        <translation>La instantánea no es lo que dice: algo se cambió.</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>Verificar</translation>
    </message>
    <message>
        <source>Verify a snapshot</source>
        <translation>Verificar una instantánea</translation>
    </message>
    <message>
        <source>Verifying a snapshot</source>
        <translation>Verificando una instantánea</translation>
    </message>
    <message>
        <source>Verifying {name}</source>
        <translation>Verificando {name}</translation>
    </message>
    <message numerus="yes">
        <source>What it says differs from the open store in %n fact(s).</source>
        <translation>
            <numerusform>Lo que dice difiere del almacén abierto en %n hecho.</numerusform>
            <numerusform>Lo que dice difiere del almacén abierto en %n hechos.</numerusform>
        </translation>
    </message>
    <message>
        <source>What this does not prove</source>
        <translation>Lo que esto no prueba</translation>
    </message>
    <message>
        <source>Withdrawn since</source>
        <translation>Retirados desde entonces</translation>
    </message>
    <message>
        <source>Zip file or folder</source>
        <translation>Archivo zip o carpeta</translation>
    </message>
</context>
<context>
    <name>VersionList</name>
    <message>
        <source>Look at this version</source>
        <translation>Mirar esta versión</translation>
    </message>
    <message>
        <source>Show the transaction that ended it</source>
        <translation>Mostrar la transacción que la terminó</translation>
    </message>
    <message>
        <source>Show the transaction that wrote it</source>
        <translation>Mostrar la transacción que la escribió</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>Versiones</translation>
    </message>
</context>
<context>
    <name>VersionModel</name>
    <message>
        <source>Arrived late: a later beginning was believed already, and stays so.</source>
        <translation>Llegó tarde: ya se creía un comienzo posterior, y así queda.</translation>
    </message>
    <message>
        <source>arrived late</source>
        <translation>llegó tarde</translation>
    </message>
    <message>
        <source>from {instant}</source>
        <translation>desde {instant}</translation>
    </message>
    <message>
        <source>no longer believed since {instant}</source>
        <translation>ya no se cree desde {instant}</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nada</translation>
    </message>
    <message>
        <source>recorded {instant}</source>
        <translation>registrado {instant}</translation>
    </message>
    <message>
        <source>stated end {instant}</source>
        <translation>final declarado {instant}</translation>
    </message>
    <message>
        <source>tx {number}</source>
        <translation>tx {number}</translation>
    </message>
    <message>
        <source>valid from {instant}</source>
        <translation>válido desde {instant}</translation>
    </message>
    <message>
        <source>{act} · believed since {begins}</source>
        <translation>{act} · se cree desde {begins}</translation>
    </message>
    <message>
        <source>{act} · believed {begins} → {ends} · ended by {ended} (tx {number})</source>
        <translation>{act} · se creyó {begins} → {ends} · terminado por {ended} (tx {number})</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>a merged value was typed in</source>
        <translation>se escribió un valor combinado</translation>
    </message>
    <message>
        <source>assumed</source>
        <translation>supuesto</translation>
    </message>
    <message>
        <source>both hold</source>
        <translation>ambos son válidos</translation>
    </message>
    <message>
        <source>business event</source>
        <translation>evento de negocio</translation>
    </message>
    <message>
        <source>capture</source>
        <translation>captura</translation>
    </message>
    <message>
        <source>change</source>
        <translation>cambio</translation>
    </message>
    <message>
        <source>confirmation</source>
        <translation>confirmación</translation>
    </message>
    <message>
        <source>correction</source>
        <translation>corrección</translation>
    </message>
    <message>
        <source>decision</source>
        <translation>decisión</translation>
    </message>
    <message>
        <source>deferred</source>
        <translation>aplazado</translation>
    </message>
    <message>
        <source>end</source>
        <translation>término</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>exacto</translation>
    </message>
    <message>
        <source>exact to the day</source>
        <translation>exacto al día</translation>
    </message>
    <message>
        <source>exact to the minute</source>
        <translation>exacto al minuto</translation>
    </message>
    <message>
        <source>exact to the month</source>
        <translation>exacto al mes</translation>
    </message>
    <message>
        <source>exact to the year</source>
        <translation>exacto al año</translation>
    </message>
    <message>
        <source>file</source>
        <translation>archivo</translation>
    </message>
    <message>
        <source>import</source>
        <translation>importación</translation>
    </message>
    <message>
        <source>imported row</source>
        <translation>fila importada</translation>
    </message>
    <message>
        <source>message</source>
        <translation>mensaje</translation>
    </message>
    <message>
        <source>one of them was moved to another time</source>
        <translation>uno de ellos se movió a otro tiempo</translation>
    </message>
    <message>
        <source>one value with two ends</source>
        <translation>un valor con dos finales</translation>
    </message>
    <message>
        <source>open</source>
        <translation>abierto</translation>
    </message>
    <message>
        <source>operator note</source>
        <translation>nota del operador</translation>
    </message>
    <message>
        <source>registration</source>
        <translation>inscripción</translation>
    </message>
    <message>
        <source>retraction</source>
        <translation>retractación</translation>
    </message>
    <message>
        <source>revert</source>
        <translation>reversión</translation>
    </message>
    <message>
        <source>settled</source>
        <translation>resuelto</translation>
    </message>
    <message>
        <source>stale</source>
        <translation>caduco</translation>
    </message>
    <message>
        <source>stated by the source</source>
        <translation>declarado por la fuente</translation>
    </message>
    <message>
        <source>taken from when the episode occurred</source>
        <translation>tomado de cuando ocurrió el episodio</translation>
    </message>
    <message>
        <source>the incoming claim won</source>
        <translation>ganó la afirmación entrante</translation>
    </message>
    <message>
        <source>the standing claim stayed</source>
        <translation>quedó la afirmación vigente</translation>
    </message>
    <message>
        <source>ticket</source>
        <translation>tique</translation>
    </message>
    <message>
        <source>tool result</source>
        <translation>resultado de herramienta</translation>
    </message>
    <message>
        <source>two periods that cross</source>
        <translation>dos periodos que se cruzan</translation>
    </message>
    <message>
        <source>two values from the same instant</source>
        <translation>dos valores desde el mismo instante</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>desconocido</translation>
    </message>
    <message>
        <source>user confirmation</source>
        <translation>confirmación del usuario</translation>
    </message>
</context>
<context>
    <name>WorkRow</name>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Deteniendo…</translation>
    </message>
</context>
<context>
    <name>ZeroclawForm</name>
    <message>
        <source>A ZeroClaw installation, one of its data folders or a workspace. Everything is read from a copy. Every row and line is kept as an episode; what has a key becomes a fact, autosaved conversation does not.</source>
        <translation>Una instalación de ZeroClaw, una de sus carpetas de datos o un espacio de trabajo. Todo se lee de una copia. Cada fila y cada línea se guarda como episodio; lo que tiene clave da un hecho, la conversación guardada automáticamente no.</translation>
    </message>
    <message>
        <source>Choose a folder.</source>
        <translation>Elija una carpeta.</translation>
    </message>
    <message>
        <source>Choose a time zone.</source>
        <translation>Elija una zona horaria.</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Carpeta</translation>
    </message>
    <message>
        <source>Times without an offset are in</source>
        <translation>Las horas sin desfase son de</translation>
    </message>
    <message>
        <source>Zone</source>
        <translation>Zona</translation>
    </message>
</context>
<context>
    <name>ZoneEdit</name>
    <message>
        <source>No time zone has this name.</source>
        <translation>Ninguna zona horaria tiene este nombre.</translation>
    </message>
</context>
<context>
    <name>_AsOfButton</name>
    <message>
        <source>Known at</source>
        <translation>Conocido en</translation>
    </message>
    <message>
        <source>The instant in the world that is looked at.</source>
        <translation>El instante del mundo que se mira.</translation>
    </message>
    <message>
        <source>The instant with whose knowledge one looks.</source>
        <translation>El instante con cuyo conocimiento se mira.</translation>
    </message>
    <message>
        <source>Valid at</source>
        <translation>Válido en</translation>
    </message>
    <message>
        <source>now</source>
        <translation>ahora</translation>
    </message>
</context>
<context>
    <name>_AsOfPopup</name>
    <message>
        <source>A day back</source>
        <translation>Un día atrás</translation>
    </message>
    <message>
        <source>A day on</source>
        <translation>Un día adelante</translation>
    </message>
    <message>
        <source>A week back</source>
        <translation>Una semana atrás</translation>
    </message>
    <message>
        <source>A week on</source>
        <translation>Una semana adelante</translation>
    </message>
    <message>
        <source>Known at</source>
        <translation>Conocido en</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Ahora</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pausar</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Reproducir</translation>
    </message>
    <message>
        <source>To the beginning</source>
        <translation>Al comienzo</translation>
    </message>
    <message>
        <source>Valid at</source>
        <translation>Válido en</translation>
    </message>
    <message>
        <source>What the ledger had recorded by that instant.</source>
        <translation>Lo que el libro había registrado hasta ese instante.</translation>
    </message>
    <message>
        <source>What was true in the world at that instant.</source>
        <translation>Lo que era cierto en el mundo en ese instante.</translation>
    </message>
</context>
<context>
    <name>_CalendarPopup</name>
    <message>
        <source>Calendar</source>
        <translation>Calendario</translation>
    </message>
</context>
<context>
    <name>_Content</name>
    <message>
        <source>Attribute</source>
        <translation>Atributo</translation>
    </message>
    <message>
        <source>Conflicts</source>
        <translation>Conflictos</translation>
    </message>
    <message>
        <source>Copy the digest</source>
        <translation>Copiar la huella</translation>
    </message>
    <message>
        <source>Digest</source>
        <translation>Huella</translation>
    </message>
    <message>
        <source>Episodes</source>
        <translation>Episodios</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>Evidencia</translation>
    </message>
    <message>
        <source>It is too large to be shown in full.</source>
        <translation>Es demasiado grande para mostrarla entera.</translation>
    </message>
    <message>
        <source>No read gives another answer because of it.</source>
        <translation>Ninguna lectura da otra respuesta por ella.</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>Registrado</translation>
    </message>
    <message>
        <source>Reverted by</source>
        <translation>Revertida por</translation>
    </message>
    <message>
        <source>Rows that began</source>
        <translation>Filas que empezaron</translation>
    </message>
    <message>
        <source>Rows that ceased</source>
        <translation>Filas que cesaron</translation>
    </message>
    <message>
        <source>Transaction {number} · {kind}</source>
        <translation>Transacción {number} · {kind}</translation>
    </message>
    <message>
        <source>Who</source>
        <translation>Quién</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>y %n más</numerusform>
            <numerusform>y %n más</numerusform>
        </translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nada</translation>
    </message>
    <message>
        <source>transaction {number}</source>
        <translation>transacción {number}</translation>
    </message>
    <message>
        <source>{actor}, with {tool}</source>
        <translation>{actor}, con {tool}</translation>
    </message>
    <message>
        <source>{name}: {value} from {instant}</source>
        <translation>{name}: {value} desde {instant}</translation>
    </message>
</context>
<context>
    <name>_Delegate</name>
    <message numerus="yes">
        <source>%n fact(s)</source>
        <translation>
            <numerusform>%n hecho</numerusform>
            <numerusform>%n hechos</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_Listing</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>y %n más</numerusform>
            <numerusform>y %n más</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_NowButton</name>
    <message>
        <source>Back to now</source>
        <translation>Volver a ahora</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Ahora</translation>
    </message>
    <message>
        <source>Set both times back to now</source>
        <translation>Devolver ambos tiempos a ahora</translation>
    </message>
</context>
<context>
    <name>_OnFact</name>
    <message>
        <source>Reading the fact…</source>
        <translation>Leyendo el hecho…</translation>
    </message>
</context>
<context>
    <name>_PreviewTable</name>
    <message>
        <source>First rows</source>
        <translation>Primeras filas</translation>
    </message>
</context>
<context>
    <name>_Result</name>
    <message>
        <source>Copy the head of {tenant}</source>
        <translation>Copiar la cabecera de {tenant}</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Hallazgos</translation>
    </message>
    <message>
        <source>Head of {tenant}</source>
        <translation>Cabecera de {tenant}</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>Cabeceras</translation>
    </message>
    <message>
        <source>Nothing is wrong.</source>
        <translation>No hay nada mal.</translation>
    </message>
    <message>
        <source>So many things were looked at</source>
        <translation>Cuántas cosas se miraron</translation>
    </message>
    <message numerus="yes">
        <source>The store is damaged: %n finding(s). Keep the file as it is, and go on with a copy or a backup.</source>
        <translation>
            <numerusform>El almacén está dañado: %n hallazgo. Conserve el archivo como está, y siga con una copia o un respaldo.</numerusform>
            <numerusform>El almacén está dañado: %n hallazgos. Conserve el archivo como está, y siga con una copia o un respaldo.</numerusform>
        </translation>
    </message>
    <message>
        <source>This was a look at what can be seen at once.</source>
        <translation>Se miró lo que se ve de inmediato.</translation>
    </message>
    <message>
        <source>broken</source>
        <translation>rota</translation>
    </message>
    <message>
        <source>holds</source>
        <translation>se cumple</translation>
    </message>
    <message>
        <source>not looked at</source>
        <translation>sin mirar</translation>
    </message>
    <message>
        <source>nothing to look at</source>
        <translation>nada que mirar</translation>
    </message>
</context>
<context>
    <name>_Row</name>
    <message>
        <source>Close this message</source>
        <translation>Cerrar este mensaje</translation>
    </message>
</context>
<context>
    <name>_VersionDelegate</name>
    <message>
        <source>arrived late</source>
        <translation>llegó tarde</translation>
    </message>
</context>
<context>
    <name>_WorkEntry</name>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
</context>
</TS>
